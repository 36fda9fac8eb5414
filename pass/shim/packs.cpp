// Integers that are several things side by side, as these things.
//
// A struct of an integer and a float travels in one register, as calling conventions want it, and slots that are touched as
// such a register become shifts and masks. Who asks for some of the bits gets what was put there. What is stored is stored
// piece by piece. Nothing but where bits come from is decided here: no value changes.

#include "shim.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

unsigned widthOf(const Value *value) { return value->getType()->getIntegerBitWidth(); }

// Some bits of an integer, the lowest first.
struct Range {
  Value *whole;
  unsigned low, width;

  bool operator<(const Range &other) const {
    return std::tie(whole, low, width) < std::tie(other.whole, other.low, other.width);
  }
  bool isWhole() const { return low == 0 && width == widthOf(whole); }
};

// What a shift by a constant, or a cast, makes of a question for bits.
enum class Found { Elsewhere, Zero, Nothing };

bool isShift(const Value *value, unsigned opcode, uint64_t &by) {
  auto *shift = dyn_cast<BinaryOperator>(value);
  const APInt *amount = nullptr;
  if (!shift || shift->getOpcode() != opcode || !match(shift->getOperand(1), m_APInt(amount)) ||
      amount->uge(widthOf(value)))
    return false;
  by = amount->getZExtValue();
  return true;
}

// The same bits in the operand that they come from.
Found stepBack(const Range &asked, Range &from) {
  unsigned end = asked.low + asked.width;
  uint64_t by = 0;
  auto at = [&](Value *operand, unsigned low) {
    from = {operand, low, asked.width};
    return low + asked.width <= widthOf(operand) ? Found::Elsewhere : Found::Nothing;
  };
  if (auto *cast = dyn_cast<TruncInst>(asked.whole))
    return at(cast->getOperand(0), asked.low);
  if (auto *cast = dyn_cast<ZExtInst>(asked.whole))
    return asked.low >= widthOf(cast->getOperand(0)) ? Found::Zero : at(cast->getOperand(0), asked.low);
  if (auto *cast = dyn_cast<SExtInst>(asked.whole))
    return at(cast->getOperand(0), asked.low);
  if (isShift(asked.whole, Instruction::Shl, by)) {
    if (end <= by)
      return Found::Zero;
    return asked.low >= by ? at(cast<User>(asked.whole)->getOperand(0), asked.low - by) : Found::Nothing;
  }
  if (isShift(asked.whole, Instruction::LShr, by)) {
    if (asked.low + by >= widthOf(asked.whole))
      return Found::Zero;
    return at(cast<User>(asked.whole)->getOperand(0), asked.low + by);
  }
  if (isShift(asked.whole, Instruction::AShr, by))
    return at(cast<User>(asked.whole)->getOperand(0), asked.low + by);
  return Found::Nothing;
}

bool isBitwise(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  return operation && operation->isBitwiseLogicOp();
}

// Floats side by side, seen as one integer.
Value *lanesBehind(const Value *value) {
  auto *cast = dyn_cast<BitCastInst>(value);
  auto *lanes = cast ? dyn_cast<FixedVectorType>(cast->getSrcTy()) : nullptr;
  return lanes && lanes->getElementType()->isFloatingPointTy() ? cast->getOperand(0) : nullptr;
}

bool isPlainLoad(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  return load && load->isSimple();
}

// A count has no pieces that anybody put there; of one that is wider than what it is kept in, the lower half is.
bool isArithmetic(const Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  return operation && !operation->isBitwiseLogicOp() && !operation->isShift();
}

bool isJoined(const Value *value) { return isa<PHINode, SelectInst>(value); }

// Which operands of a phi or select are joined.
unsigned firstJoined(const Value *value) { return isa<SelectInst>(value) ? 1 : 0; }

class Reader {
 public:
  // The bits as a value, put together from what they come from; null where they come from something that has more.
  Value *read(const Range &asked) {
    return isReadable(asked) ? build(asked) : nullptr;
  }

 private:
  // What was asked for already on the way, and whether it can be had as far as is known.
  using Met = std::map<Range, bool>;

  MapVector<Value *, SmallVector<std::pair<Range, Value *>, 2>> made;

  static bool lanesFit(const Range &asked, Value *lanes) {
    unsigned bits = lanes->getType()->getScalarSizeInBits();
    return asked.low % bits == 0 && asked.width == bits;
  }

  bool canRead(const Range &asked, Met &met) {
    if (isa<ConstantInt, UndefValue>(asked.whole))
      return true;
    // What comes back to itself can be had where all else that it is joined with can.
    auto [known, isNew] = met.insert({asked, true});
    return isNew ? known->second = isFound(asked, met) : known->second;
  }

  bool isFound(const Range &asked, Met &met) {
    if (Value *lanes = lanesBehind(asked.whole))
      return asked.isWhole() || lanesFit(asked, lanes);
    if (isBitwise(asked.whole) || isJoined(asked.whole)) {
      auto *user = cast<User>(asked.whole);
      for (unsigned at = firstJoined(user); at < user->getNumOperands(); at++)
        if (!canRead({user->getOperand(at), asked.low, asked.width}, met))
          return asked.isWhole();
      return true;
    }
    Range from{};
    Found found = stepBack(asked, from);
    if (found == Found::Zero || asked.isWhole())
      return true;
    if (found == Found::Elsewhere)
      return canRead(from, met);
    if (auto *wider = dyn_cast<ZExtInst>(asked.whole); wider && asked.low == 0)
      return canRead({wider->getOperand(0), 0, widthOf(wider->getOperand(0))}, met);
    if (isArithmetic(asked.whole))
      return asked.low == 0;
    return isPlainLoad(asked.whole) && asked.low % 8 == 0 && asked.width % 8 == 0 && isPowerOf2_32(asked.width);
  }

  bool isReadable(const Range &asked) {
    Met met;
    return canRead(asked, met);
  }

  Value *build(const Range &asked) {
    Type *type = IntegerType::get(asked.whole->getContext(), asked.width);
    if (isa<PoisonValue>(asked.whole))
      return PoisonValue::get(type);
    if (isa<UndefValue>(asked.whole))
      return UndefValue::get(type);
    if (auto *number = dyn_cast<ConstantInt>(asked.whole))
      return ConstantInt::get(type, number->getValue().extractBits(asked.width, asked.low));
    for (auto &[range, value] : made[asked.whole])
      if (range.low == asked.low && range.width == asked.width)
        return value;
    Value *value = make(asked, type);
    made[asked.whole].push_back({asked, value});
    return value;
  }

  Value *make(const Range &asked, Type *type) {
    Range from{};
    Found found = stepBack(asked, from);
    if (found == Found::Zero)
      return ConstantInt::get(type, 0);
    if (found == Found::Elsewhere && isReadable(from))
      return build(from);
    if (!isa<Instruction>(asked.whole))
      return asked.isWhole() ? asked.whole : nullptr;
    auto *inst = cast<Instruction>(asked.whole);
    IRBuilder<> builder(inst);
    if (Value *lanes = lanesBehind(inst); lanes && !asked.isWhole())
      return builder.CreateBitCast(builder.CreateExtractElement(lanes, asked.low / asked.width), type);
    if (isBitwise(inst))
      return bitwise(cast<BinaryOperator>(inst), asked, builder);
    if (isJoined(inst))
      return joined(inst, asked, type, builder);
    if (asked.isWhole())
      return inst;
    if (auto *wider = dyn_cast<ZExtInst>(inst)) {
      Value *narrow = wider->getOperand(0);
      return builder.CreateZExt(build({narrow, 0, widthOf(narrow)}), type);
    }
    if (isArithmetic(inst)) {
      builder.SetInsertPoint(inst->getNextNode());
      return builder.CreateTrunc(inst, type);
    }
    auto *load = cast<LoadInst>(inst);
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load->getPointerOperand(), asked.low / 8);
    return builder.CreateAlignedLoad(type, address, commonAlignment(load->getAlign(), asked.low / 8));
  }

  Value *bitwise(BinaryOperator *operation, const Range &asked, IRBuilder<> &builder) {
    Range left{operation->getOperand(0), asked.low, asked.width}, right{operation->getOperand(1), asked.low, asked.width};
    if (asked.isWhole() && (!isReadable(left) || !isReadable(right)))
      return operation;
    Value *first = build(left), *second = build(right);
    // What is zero beside a piece, or covers it, is how pieces are put together.
    bool takes = operation->getOpcode() == Instruction::And;
    for (auto [piece, other] : {std::pair(first, second), std::pair(second, first)}) {
      if (match(other, m_Zero()))
        return takes ? other : piece;
      if (takes && match(other, m_AllOnes()))
        return piece;
    }
    return asked.isWhole() ? operation : builder.CreateBinOp(operation->getOpcode(), first, second);
  }

  Value *joined(Instruction *inst, const Range &asked, Type *type, IRBuilder<> &builder) {
    if (asked.isWhole())
      return inst;
    auto part = [&](Value *operand) { return build({operand, asked.low, asked.width}); };
    if (auto *select = dyn_cast<SelectInst>(inst)) {
      Value *yes = part(select->getTrueValue()), *no = part(select->getFalseValue());
      return builder.CreateSelect(select->getCondition(), yes, no);
    }
    auto *phi = cast<PHINode>(inst);
    PHINode *parts = builder.CreatePHI(type, phi->getNumIncomingValues());
    made[phi].push_back({asked, parts});
    for (unsigned at = 0; at < phi->getNumIncomingValues(); at++)
      parts->addIncoming(part(phi->getIncomingValue(at)), phi->getIncomingBlock(at));
    return parts;
  }
};

bool isWideInteger(const Value *value) { return value->getType()->isIntegerTy() && widthOf(value) > 1; }

// Whether an instruction puts bits from one integer into another one, and does nothing else with them.
bool movesBits(const Instruction &inst) {
  return isa<TruncInst, ZExtInst, SExtInst>(inst) || isBitwise(&inst) || isJoined(&inst) || inst.isShift();
}

bool holdsFloats(const Type *type) { return type->isFPOrFPVectorTy(); }

// The integers that floats come from or go to by nothing but moves of bits.
class Neighbours {
 public:
  explicit Neighbours(Function &function) {
    for (Instruction &inst : instructions(function)) {
      if (isWideInteger(&inst) && movesBits(inst))
        for (Value *operand : inst.operands())
          if (isWideInteger(operand) && !isa<Constant>(operand))
            groups.unionSets(&inst, operand);
      if (isa<BitCastInst>(inst) && isWideInteger(&inst) && holdsFloats(inst.getOperand(0)->getType()))
        marked.insert(&inst);
      if (isa<BitCastInst>(inst) && holdsFloats(inst.getType()) && isWideInteger(inst.getOperand(0)))
        marked.insert(inst.getOperand(0));
    }
    for (const Value *value : marked)
      near.insert(groups.getOrInsertLeaderValue(value));
  }

  bool has(const Value *value) { return near.contains(groups.getOrInsertLeaderValue(value)); }

 private:
  EquivalenceClasses<const Value *> groups;
  SetVector<const Value *> marked;
  DenseSet<const Value *> near;
};

// Where pieces that were put side by side begin.
void findCuts(Value *value, unsigned shift, unsigned end, std::set<unsigned> &cuts, std::set<std::pair<Value *, unsigned>> &met) {
  if (!met.insert({value, shift}).second)
    return;
  uint64_t by = 0;
  auto *user = dyn_cast<User>(value);
  if (isShift(value, Instruction::Shl, by)) {
    if (shift + by < end)
      cuts.insert(shift + by);
    findCuts(user->getOperand(0), shift + by, end, cuts, met);
  } else if (auto *wider = dyn_cast<ZExtInst>(value)) {
    unsigned top = shift + widthOf(wider->getOperand(0));
    if (top < end)
      cuts.insert(top);
    findCuts(wider->getOperand(0), shift, std::min(top, end), cuts, met);
  } else if (Value *lanes = lanesBehind(value)) {
    unsigned bits = lanes->getType()->getScalarSizeInBits();
    for (unsigned at = bits; shift + at < end && at < widthOf(value); at += bits)
      cuts.insert(shift + at);
  } else if (isBitwise(value) || isJoined(value)) {
    for (unsigned at = firstJoined(value); at < user->getNumOperands(); at++)
      findCuts(user->getOperand(at), shift, end, cuts, met);
  }
}

// A stored integer as stores of its pieces.
bool splitStore(StoreInst &store, Reader &reader) {
  Value *whole = store.getValueOperand();
  std::set<unsigned> cuts;
  std::set<std::pair<Value *, unsigned>> met;
  findCuts(whole, 0, widthOf(whole), cuts, met);
  if (cuts.empty() || widthOf(whole) % 8 != 0)
    return false;
  cuts.insert({0, widthOf(whole)});
  SmallVector<std::pair<unsigned, Value *>, 4> pieces;
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    unsigned width = *std::next(cut) - *cut;
    if (*cut % 8 != 0 || width % 8 != 0)
      return false;
    Value *piece = reader.read({whole, *cut, width});
    if (!piece)
      return false;
    pieces.push_back({*cut / 8, piece});
  }
  IRBuilder<> builder(&store);
  for (auto &[offset, piece] : pieces) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), offset);
    Value *behind = nullptr;
    if (match(piece, m_BitCast(m_Value(behind))) && behind->getType()->isFloatingPointTy())
      piece = behind;
    builder.CreateAlignedStore(piece, address, commonAlignment(store.getAlign(), offset));
  }
  store.eraseFromParent();
  return true;
}

// Members that are set to constants side by side, which vectorisers put into one vector, each by itself.
bool splitConstants(StoreInst &store) {
  auto *lanes = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  auto *constants = dyn_cast<Constant>(store.getValueOperand());
  if (!lanes || !constants || !lanes->getElementType()->isIntegerTy() || lanes->getScalarSizeInBits() % 8 != 0)
    return false;
  IRBuilder<> builder(&store);
  for (unsigned at = 0; at < lanes->getNumElements(); at++) {
    Constant *lane = constants->getAggregateElement(at);
    if (!lane)
      return false;
    unsigned offset = at * lanes->getScalarSizeInBits() / 8;
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), offset);
    builder.CreateAlignedStore(lane, address, commonAlignment(store.getAlign(), offset));
  }
  store.eraseFromParent();
  return true;
}

// Bits that somebody takes out of an integer, as what was put there.
bool readPart(Instruction &asking, Reader &reader) {
  Value *from = asking.getOperand(0);
  Value *part = nullptr;
  IRBuilder<> builder(&asking);
  if (isa<TruncInst>(asking)) {
    part = reader.read({&asking, 0, widthOf(&asking)});
  } else if (auto *lanes = dyn_cast<FixedVectorType>(asking.getType())) {
    // Each lane by itself; what is moved whole stays whole.
    unsigned bits = lanes->getScalarSizeInBits();
    if (isPlainLoad(from) || isa<BitCastInst>(from))
      return false;
    Value *vector = PoisonValue::get(lanes);
    for (unsigned at = 0; at < lanes->getNumElements(); at++) {
      Value *lane = reader.read({from, at * bits, bits});
      if (!lane)
        return false;
      vector = builder.CreateInsertElement(vector, builder.CreateBitCast(lane, lanes->getElementType()), at);
    }
    part = vector;
  } else {
    Value *whole = reader.read({from, 0, widthOf(from)});
    part = whole && whole != from ? builder.CreateBitCast(whole, asking.getType()) : nullptr;
  }
  // The lower half of a count, as it was asked for.
  auto *same = dyn_cast_or_null<TruncInst>(part);
  if (!part || part == &asking || (same && same->isIdenticalTo(&asking)))
    return false;
  asking.replaceAllUsesWith(part);
  return true;
}

}  // namespace

bool bs_shim_open_packs(LLVMValueRef raw) {
  auto *function = unwrap<Function>(raw);
  if (!function->getDataLayout().isLittleEndian())
    return false;
  Neighbours neighbours(*function);
  Reader reader;
  SmallVector<Instruction *> asking;
  SmallVector<StoreInst *> stores, constants;
  for (Instruction &inst : instructions(*function)) {
    auto *store = dyn_cast<StoreInst>(&inst);
    if (store && store->isSimple() && isa<Constant>(store->getValueOperand()))
      constants.push_back(store);
    if (store && store->isSimple() && isWideInteger(store->getValueOperand()) && neighbours.has(store->getValueOperand()))
      stores.push_back(store);
    bool takes = isa<TruncInst>(inst) || (isa<BitCastInst>(inst) && holdsFloats(inst.getType()));
    if (takes && isWideInteger(inst.getOperand(0)) && neighbours.has(inst.getOperand(0)))
      asking.push_back(&inst);
  }
  bool changed = false;
  for (StoreInst *store : constants)
    changed |= splitConstants(*store);
  for (StoreInst *store : stores)
    changed |= splitStore(*store, reader);
  for (Instruction *inst : asking)
    changed |= readPart(*inst, reader);
  return changed;
}
