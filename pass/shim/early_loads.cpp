// What a pass of a loop loads and hands on to the next one is loaded in front of everything that the pass stores.
//
// A stencil reads `u[i+1]`, which the next pass reads as `u[i]`. Where nothing that is written in between can be the same memory, LLVM
// hands it on; and then it makes vectors of the loop only if whoever uses what was handed on may stand behind the load of what is handed on
// next. A store of another field cannot, so the load is moved in front of it. It reads the same there: that nothing in between
// can be the same memory is asked once more.
#include "early_loads.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

// Loops with more instructions than this are left as they are.
constexpr size_t Longest = 2000;
// What is handed on for more passes than this LLVM hands on no more.
constexpr unsigned MostPasses = 8;

// The load whose result comes through a phi of the loop, in the next pass or one of those behind it.
LoadInst *readHandedOn(PHINode &phi, BasicBlock *body) {
  Value *before = &phi;
  for (unsigned passes = 0; passes < MostPasses; passes++) {
    auto *through = dyn_cast<PHINode>(before);
    if (!through || through->getParent() != body)
      break;
    before = through->getIncomingValueForBlock(body);
  }
  auto *load = dyn_cast<LoadInst>(before);
  return load && load->getParent() == body && load->isSimple() ? load : nullptr;
}

// The load with what its address is computed from in the same pass, or nothing where something of that has to stay where it is.
bool collect(Instruction &inst, BasicBlock *body, SmallSetVector<Instruction *, 8> &moved) {
  if (inst.getParent() != body || isa<PHINode>(inst) || moved.contains(&inst))
    return true;
  if (!isa<LoadInst>(inst) && (inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects()))
    return false;
  for (Value *operand : inst.operands())
    if (auto *from = dyn_cast<Instruction>(operand))
      if ((isa<LoadInst>(from) && from->getParent() == body) || !collect(*from, body, moved))
        return false;
  moved.insert(&inst);
  return true;
}

bool moveToFront(LoadInst &load, BasicBlock *body, AAResults &aliases) {
  const MemoryLocation place = MemoryLocation::get(&load);
  for (Instruction &inst : *body) {
    if (&inst == &load)
      break;
    if (!isGuaranteedToTransferExecutionToSuccessor(&inst) || isModSet(aliases.getModRefInfo(&inst, place)))
      return false;
  }
  SmallSetVector<Instruction *, 8> moved;
  if (!collect(load, body, moved))
    return false;
  // Behind what was moved before, so that the order of loads stays the same.
  auto front = body->getFirstNonPHIOrDbg();
  while (front != body->end() && isa<LoadInst, GetElementPtrInst>(&*front))
    ++front;
  for (Instruction *inst : moved)
    if (front != body->end() && !inst->comesBefore(&*front)) {
      if (&*front == inst)
        ++front;
      else
        inst->moveBefore(front);
    }
  return true;
}

} // namespace

bool loadEarly(Loop &loop, AAResults &aliases, DominatorTree &dominators) {
  BasicBlock *body = loop.getHeader();
  if (loop.getNumBlocks() != 1 || body->size() > Longest)
    return false;
  bool changed = false;
  for (PHINode &phi : body->phis()) {
    if (!phi.getType()->isFloatingPointTy() || RecurrenceDescriptor::isFixedOrderRecurrence(&phi, &loop, &dominators))
      continue;
    if (LoadInst *load = readHandedOn(phi, body))
      changed |= moveToFront(*load, body, aliases);
  }
  return changed;
}
