// What two loops in one another touch, row by row, and whether rows are apart: see `nest_rows.cpp`.
#pragma once
#include "turned.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <set>

namespace llvm {
class Instruction;
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

// Cells at a known distance from each other, or whole rows from each other: mostly those of one array.
struct RowGroup {
  // Where the first access of the group is in the first pass of both loops, and by how many bytes it moves with the loop around and inside.
  const llvm::SCEV *start, *outerStep;
  int64_t innerStep;
  // Whether all in it are additions to adjoints, and whether one is a store.
  bool isSum, isWritten;
  // How many rows the others are away from the first one, and where they begin and end in theirs, in bytes.
  std::set<int64_t> rows;
  int64_t least, most;
};

class NestRows {
 public:
  // Cells that are so many iterations of the loop inside apart may be in one row; see `LongestWay` in `sums.cpp`.
  static constexpr int64_t LongestWay = 4;

  NestRows(llvm::Loop &inner, llvm::Loop &outer, llvm::ScalarEvolution &evolution) : inner(inner), outer(outer), evolution(evolution) {}

  // Reads all accesses to memory; false where something else happens, or where it is not known how they move.
  bool collect();
  // Whether one pass of the outer loop adds to cells to which the next one adds as well.
  bool hasSharedSums() const;
  // A test in front of the nest: whether whatever is not a sum is touched by one pass only, and groups touch nothing of each other. Nothing where
  // that cannot be asked, or never holds.
  llvm::Value *askWhetherApart();
  // Tells what was tested to whoever looks at the loop inside, of which `joined` has so many passes in one.
  void tell(llvm::Loop &joined, unsigned passes);

 private:
  llvm::Loop &inner, &outer;
  llvm::ScalarEvolution &evolution;
  llvm::SmallVector<RowGroup, 8> groups;

  // The number of a group, and of a row in it.
  using Place = std::pair<size_t, int64_t>;

  std::optional<RowGroup> read(llvm::Instruction &inst, bool isSum, llvm::Loop &around, llvm::Loop &inside);
  std::optional<Place> find(const RowGroup &access, unsigned passes, int64_t *cells) const;
  void add(const RowGroup &access);
  bool rowsHaveToBeApart(const RowGroup &group) const;
  bool areApart(const Place &one, const Place &other) const;
};

// Adds the pointers of instructions of a loop that were told to be apart by `tell`.
void addRowsApart(const llvm::Loop &loop, PointerPairs &pairs);
