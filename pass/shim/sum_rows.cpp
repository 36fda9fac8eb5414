// Rows of sums that a loop adds to at once, as the neighbours above and below in a stencil, are compared in front of the loop.
//
// Sums may meet, since nobody said in which order they are added up, so nothing has to be asked to rewrite them. But LLVM asks before it
// makes vectors of the loop, and asks for all passes of the loop around at once: there the row above is the next one's row below,
// and what it asks never holds. Here it is asked for the rows of one pass, and told.
#include "sum_rows.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace {

// How many passes of the loop around neighbours are apart at most.
constexpr int MostRows = 4;

// Whether two accesses are a known number of bytes apart in each pass.
bool areOneRow(Instruction &one, Instruction &other, PredicatedScalarEvolution &assumed) {
  const SCEV *first = assumed.getSCEV(getLoadStorePointerOperand(&one)), *second = assumed.getSCEV(getLoadStorePointerOperand(&other));
  return isa<SCEVConstant>(assumed.getSE()->getMinusSCEV(first, second));
}

// The row that an access begins with in a pass of the loop around, if it moves with that.
const SCEVAddRecExpr *beginOf(Instruction &inst, const Loop &loop, PredicatedScalarEvolution &assumed) {
  auto *place = dyn_cast<SCEVAddRecExpr>(assumed.getSCEV(getLoadStorePointerOperand(&inst)));
  auto *begin = place && place->getLoop() == &loop ? dyn_cast<SCEVAddRecExpr>(place->getStart()) : nullptr;
  return begin && begin->getLoop() == loop.getParentLoop() && begin->isAffine() ? begin : nullptr;
}

// Whether one is in a row that the other comes to a few passes of the loop around before or behind it.
bool areNeighbours(Instruction &one, Instruction &other, const Loop &loop, PredicatedScalarEvolution &assumed) {
  const SCEVAddRecExpr *first = beginOf(one, loop, assumed), *second = beginOf(other, loop, assumed);
  ScalarEvolution &evolution = *assumed.getSE();
  const SCEV *step = first ? first->getStepRecurrence(evolution) : nullptr;
  if (!second || second->getStepRecurrence(evolution) != step)
    return false;
  const SCEV *apart = evolution.getMinusSCEV(first, second);
  if (isa<SCEVCouldNotCompute>(apart))
    return false;
  for (int rows = -MostRows; rows <= MostRows; rows++) {
    const SCEV *moved = evolution.getMulExpr(step, evolution.getConstant(step->getType(), rows, /*isSigned=*/true));
    if (rows != 0 && isa<SCEVConstant>(evolution.getMinusSCEV(apart, moved)))
      return true;
  }
  return false;
}

bool areApart(const Instruction &one, const Instruction &other, AAResults &aliases) {
  return aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&one)),
                           MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&other)));
}

} // namespace

SumRows::SumRows(Loop &loop, PredicatedScalarEvolution &assumed, const LoopAccessInfo &info, AAResults &aliases,
                 const SmallPtrSetImpl<Instruction *> &sums)
    : loop(loop), comparison(loop, *assumed.getSE(), assumed, info) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      if (!sums.contains(&inst) || loop.isLoopInvariant(getLoadStorePointerOperand(&inst)))
        continue;
      auto own = find_if(rows, [&](const Row &row) { return areOneRow(*row.front(), inst, assumed); });
      if (own == rows.end())
        rows.push_back({&inst});
      else
        own->push_back(&inst);
    }
  for (unsigned one = 0; one < rows.size(); one++)
    for (unsigned other = one + 1; other < rows.size(); other++)
      if (areNeighbours(*rows[one].front(), *rows[other].front(), loop, assumed) &&
          !areApart(*rows[one].front(), *rows[other].front(), aliases) && compare(one, other))
        apart.push_back({one, other});
}

bool SumRows::compare(unsigned one, unsigned other) {
  for (Instruction *first : rows[one])
    for (Instruction *second : rows[other])
      if (!comparison.addRows({first, one}, {second, other}))
        return false;
  return true;
}

SmallVector<RuntimePointerCheck, 4> SumRows::close(PointerPairs &tested) {
  SmallVector<RuntimePointerCheck, 4> checks;
  if (!apart.empty())
    checks = comparison.close(tested);
  if (checks.empty())
    apart.clear();
  return checks;
}

void SumRows::tell() const {
  if (apart.empty())
    return;
  LLVMContext &context = rows.front().front()->getContext();
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain("backsweep.sum.rows");
  SmallVector<MDNode *, 8> scopes;
  // What is told holds for one run of the loop: the next one's rows are others, where LLVM writes several out one behind the other.
  IRBuilder<> front(loop.getLoopPreheader()->getTerminator());
  for (unsigned row = 0; row < rows.size(); row++) {
    scopes.push_back(MDNode::get(context, builder.createAnonymousAliasScope(domain, "row")));
    front.CreateNoAliasScopeDeclaration(scopes.back());
  }
  auto add = [&](unsigned row, unsigned kind, MDNode *scope) {
    for (Instruction *inst : rows[row])
      inst->setMetadata(kind, MDNode::concatenate(inst->getMetadata(kind), scope));
  };
  for (unsigned row = 0; row < rows.size(); row++)
    add(row, LLVMContext::MD_alias_scope, scopes[row]);
  for (auto [one, other] : apart) {
    add(one, LLVMContext::MD_noalias, scopes[other]);
    add(other, LLVMContext::MD_noalias, scopes[one]);
  }
}
