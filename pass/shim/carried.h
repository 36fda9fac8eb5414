// What `carried.cpp` knows of the exceptions of one function: where they come from, and who touches them.
#ifndef BACKSWEEP_CARRIED_H
#define BACKSWEEP_CARRIED_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <set>
#include <vector>

namespace llvm {
class DominatorTree;
}

namespace carried {

// Calls `what()` of an exception: nothing that has a derivative comes of it.
constexpr llvm::StringLiteral What = "backsweep.what";

bool isCallOf(const llvm::CallBase &call, llvm::StringRef name);

// A load or a store of the exception, so many bytes behind its beginning.
struct Access {
  llvm::Instruction *inst;
  int64_t offset;
  llvm::Type *type;
};

struct Uses {
  std::vector<Access> accesses;
};

// Finds every use of the memory that a call returned; false where there is one that is not understood.
bool gatherUses(llvm::CallBase &pointer, Uses &uses);

struct Field {
  llvm::Type *type;
  llvm::AllocaInst *slot = nullptr;
};

// Where an exception is thrown.
struct Site {
  llvm::CallBase *thrown;
  llvm::CallBase *made;
  Uses uses = {};
  bool followed = false;
  std::map<int64_t, Field> fields = {};

  llvm::Value *type() const { return thrown->getArgOperand(1); }
  // The floats that are put into the exception; false where bytes of them are touched as something else.
  bool findFields();
  bool agreesWith(const Uses &uses) const;
  llvm::AllocaInst *slotAt(int64_t offset) const;
};

// Where one may be held.
struct Handler {
  llvm::CallBase *caught;
  std::set<int> origins = {};
  // Null where it is not told.
  llvm::Value *type = nullptr;
  bool understood = false;
  Uses uses = {};
};

// From which site an exception came: a number, written beside each value that it goes through.
class Origins {
public:
  static constexpr int Foreign = 0, Untold = -1;
  Origins(llvm::Function &function, std::vector<Site> &sites) : function(function), sites(sites) {}

  // The numbers that a caught exception may have.
  std::set<int> leavesOf(llvm::Value *exception);
  // The number itself, where `Untold` is none of them.
  llvm::Value *indexOf(llvm::Value *exception);

private:
  // What an edge into a landing pad brings: a number, or the exception that is thrown again.
  std::pair<int, llvm::Value *> broughtBy(llvm::BasicBlock *from);
  void collect(llvm::Value *exception, std::set<llvm::Value *> &seen, std::set<int> &found);
  llvm::Function &function;
  std::vector<Site> &sites;
  std::map<llvm::Value *, llvm::Value *> known;
};

// The handler that holds what is thrown again; null where it is not the same on all ways, or is a caller's.
llvm::CallBase *handlerOf(llvm::Instruction &rethrow);
// What the call of `__cxa_throw` throws, if it is made by a call of its own.
llvm::CallBase *madeFor(llvm::CallBase &thrown);
// Whether a call may hand the exceptions of one call of the function to another.
bool mayHandOn(llvm::CallBase &call, llvm::Function &function);
// Whether anybody in the module keeps an exception beyond its handler.
bool mayKeepExceptions(const llvm::Module &module);
// Whether a call in a handler may throw again what the handler holds, unseen.
bool mayThrowAgain(llvm::CallBase &call);
// Whether what destroys the exception leaves numbers alone.
bool isQuietDestructor(llvm::Value *destructor);
// Whether a type is one of the library's exceptions, or derives from nothing else.
bool isException(llvm::Value *type);
// Whether a handler for one type may be given an exception of another.
bool mayBeCaughtAs(llvm::Value *thrown, llvm::Value *caught);
// Whether a handler for one type, if one is told, is given an exception of another by the address where it begins, and not by
// that of one of several bases.
bool beginsWhereCaught(llvm::Value *thrown, llvm::Value *caught);
// The type that a handler is for, where the branch to it says so.
llvm::Value *caughtType(llvm::CallBase &caught, llvm::DominatorTree &dominators);
// Makes calls of `what()` through tables calls that say so, where a handler is for exceptions of the library.
void nameMessages(llvm::Function &function);
// What may run while a handler holds its exception.
std::set<llvm::Instruction *> heldBy(llvm::CallBase &caught);

}  // namespace carried

#endif
