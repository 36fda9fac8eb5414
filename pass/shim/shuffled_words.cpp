// Words that are loaded as one vector, change places and are stored, one by one.
//
// Two neighbours that are exchanged by `memcpy` are a load, a shuffle and a store of two integers where an optimiser came first. A
// shuffle of integers says of no lane what it is; a word that is loaded and stored by itself is told by who else touches those places.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

using namespace llvm;

namespace {

// No float is smaller.
constexpr unsigned LeastBits = 16;

FixedVectorType *wordsOf(const Value *value) {
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  auto *word = type ? dyn_cast<IntegerType>(type->getElementType()) : nullptr;
  return word && word->getBitWidth() >= LeastBits && isPowerOf2_32(word->getBitWidth()) ? type : nullptr;
}

class Words {
public:
  // The word in a lane: a load of its own, a number, or poison; null where it was computed as part of a vector.
  Value *at(Value *vector, unsigned lane) {
    if (auto *constant = dyn_cast<Constant>(vector))
      return constant->getAggregateElement(lane);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector))
      return shuffled(*shuffle, lane);
    if (auto *insert = dyn_cast<InsertElementInst>(vector)) {
      auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
      if (!index)
        return nullptr;
      return index->equalsInt(lane) ? insert->getOperand(1) : at(insert->getOperand(0), lane);
    }
    auto *load = dyn_cast<LoadInst>(vector);
    return load && load->isSimple() ? loaded(*load, lane) : nullptr;
  }

private:
  Value *shuffled(ShuffleVectorInst &shuffle, unsigned lane) {
    int from = shuffle.getMaskValue(lane);
    if (from == PoisonMaskElem)
      return PoisonValue::get(shuffle.getType()->getElementType());
    int first = wordsOf(shuffle.getOperand(0))->getNumElements();
    return from < first ? at(shuffle.getOperand(0), from) : at(shuffle.getOperand(1), from - first);
  }

  // Read where the whole was read: what is stored in between does not count.
  Value *loaded(LoadInst &load, unsigned lane) {
    Value *&word = made[{&load, lane}];
    if (word)
      return word;
    IRBuilder<> builder(&load);
    Type *type = wordsOf(&load)->getElementType();
    unsigned bytes = type->getIntegerBitWidth() / 8;
    Value *place = builder.CreateConstInBoundsGEP1_64(type, load.getPointerOperand(), lane);
    LoadInst *one = builder.CreateAlignedLoad(type, place, commonAlignment(load.getAlign(), lane * bytes));
    one->copyMetadata(load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    return word = one;
  }

  std::map<std::pair<LoadInst *, unsigned>, Value *> made;
};

bool isMoved(const Value *value) {
  return wordsOf(value) && (isa<ShuffleVectorInst>(value) || isa<InsertElementInst>(value));
}

bool storeOneByOne(StoreInst &store, Words &words) {
  FixedVectorType *type = wordsOf(store.getValueOperand());
  SmallVector<Value *> lanes;
  for (unsigned lane = 0; lane < type->getNumElements(); lane++)
    lanes.push_back(words.at(store.getValueOperand(), lane));
  if (is_contained(lanes, static_cast<Value *>(nullptr)))
    return false;
  IRBuilder<> builder(&store);
  unsigned bytes = type->getScalarSizeInBits() / 8;
  for (auto [lane, word] : enumerate(lanes)) {
    // What nobody defined may be what was there.
    if (isa<UndefValue>(word))
      continue;
    Value *place = builder.CreateConstInBoundsGEP1_64(type->getElementType(), store.getPointerOperand(), lane);
    StoreInst *one = builder.CreateAlignedStore(word, place, commonAlignment(store.getAlign(), lane * bytes));
    one->copyMetadata(store, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  }
  return true;
}

Value *readAlone(ExtractElementInst &read, Words &words) {
  auto *index = dyn_cast<ConstantInt>(read.getIndexOperand());
  FixedVectorType *type = wordsOf(read.getVectorOperand());
  return index && index->getValue().ult(type->getNumElements()) ? words.at(read.getVectorOperand(), index->getZExtValue())
                                                                : nullptr;
}

} // namespace

void bs_shim_part_shuffled_words(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  Words words;
  for (Instruction &inst : make_early_inc_range(instructions(*function))) {
    auto *store = dyn_cast<StoreInst>(&inst);
    if (store && store->isSimple() && isMoved(store->getValueOperand()) && storeOneByOne(*store, words))
      store->eraseFromParent();
    auto *read = dyn_cast<ExtractElementInst>(&inst);
    Value *word = read && isMoved(read->getVectorOperand()) ? readAlone(*read, words) : nullptr;
    if (word && word != read) {
      read->replaceAllUsesWith(word);
      read->eraseFromParent();
    }
  }
}
