// Floats that are put together from pieces of the bits of one float, as programs do that keep its two halves as integers.
//
// Every value on the way is a shifted copy of the bits, some of them kept and some of them turned over:
// ((bits shifted) & kept) ^ turned, beside others of which nothing is known. Where all pieces come together again, with the sign as the only one that may be new, the
// result is the float itself, its negative, or its size. Two halves that lie side by side in memory are one float there.

#include "shim.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Masks are of the width of the value that they describe; a shift to the left is positive. Without bits nothing is kept.
struct Pieces {
  Value *bits;
  int shift;
  APInt kept, turned, unknown;

  APInt taken() const { return kept | turned | unknown; }
};

// Expressions of more parts than these are not looked through.
constexpr unsigned Deepest = 12;

}  // namespace

// Of bits that nobody asks for, nothing is told: they count as cleared.
static Pieces piecesOf(Value *value, APInt asked, unsigned depth);

static Pieces unknown(const APInt &asked) {
  APInt none = APInt::getZero(asked.getBitWidth());
  return {nullptr, 0, none, none, asked};
}

static Pieces turn(Pieces of, const APInt &mask) {
  of.turned ^= mask;
  return of;
}

static Pieces shifted(const Pieces &of, unsigned by, bool left) {
  auto move = [=](const APInt &mask) { return left ? mask.shl(by) : mask.lshr(by); };
  return {of.bits, of.shift + (left ? int(by) : -int(by)), move(of.kept), move(of.turned), move(of.unknown)};
}

// Two that have no bit in common, side by side.
static Pieces together(const Pieces &one, const Pieces &other) {
  bool alike = one.kept.isZero() || other.kept.isZero() || (one.bits == other.bits && one.shift == other.shift);
  if (!alike || one.taken().intersects(other.taken()))
    return unknown(one.taken() | other.taken());
  const Pieces &from = one.kept.isZero() ? other : one;
  return {from.bits, from.shift, one.kept | other.kept, one.turned | other.turned, one.unknown | other.unknown};
}

static Pieces throughOperation(Value *value, const APInt &asked, unsigned depth) {
  Value *of = nullptr, *other = nullptr;
  const APInt *by = nullptr;
  unsigned width = asked.getBitWidth();
  if (match(value, m_And(m_Value(of), m_APInt(by))))
    return piecesOf(of, asked & *by, depth);
  if (match(value, m_Xor(m_Value(of), m_APInt(by))))
    return turn(piecesOf(of, asked, depth), *by & asked);
  if (match(value, m_Or(m_Value(of), m_APInt(by))))
    return turn(piecesOf(of, asked & ~*by, depth), *by & asked);
  if (match(value, m_Shl(m_Value(of), m_APInt(by))) && by->ult(width))
    return shifted(piecesOf(of, asked.lshr(*by), depth), by->getZExtValue(), true);
  if (match(value, m_LShr(m_Value(of), m_APInt(by))) && by->ult(width))
    return shifted(piecesOf(of, asked.shl(*by), depth), by->getZExtValue(), false);
  if (match(value, m_Or(m_Value(of), m_Value(other))) || match(value, m_Xor(m_Value(of), m_Value(other))))
    return together(piecesOf(of, asked, depth), piecesOf(other, asked, depth));
  return unknown(asked);
}

// What is made of nothing else is the bits themselves.
static Pieces piecesOf(Value *value, APInt asked, unsigned depth) {
  Value *of = nullptr;
  if (depth >= Deepest)
    return unknown(asked);
  if (isa<LoadInst>(value) || match(value, m_BitCast(m_Value())))
    return {value, 0, asked, APInt::getZero(asked.getBitWidth()), APInt::getZero(asked.getBitWidth())};
  bool isCast = match(value, m_ZExt(m_Value(of))) || match(value, m_Trunc(m_Value(of)));
  if (!isCast)
    return throughOperation(value, asked, depth + 1);
  if (!of->getType()->isIntegerTy())
    return unknown(asked);
  Pieces from = piecesOf(of, asked.zextOrTrunc(of->getType()->getIntegerBitWidth()), depth + 1);
  auto resize = [&](const APInt &mask) { return mask.zextOrTrunc(asked.getBitWidth()); };
  return {from.bits, from.shift, resize(from.kept), resize(from.turned), resize(from.unknown)};
}

// The float that has these bits. What is loaded as an integer only to be one is loaded as a float; a load that others order,
// or that says more than where it loads from, stays what it is.
static Value *floatOf(Value *bits, Type *type) {
  Value *behind = nullptr;
  if (match(bits, m_BitCast(m_Value(behind))))
    return behind->getType() == type ? behind : nullptr;
  auto *load = cast<LoadInst>(bits);
  if (!load->isSimple())
    return nullptr;
  IRBuilder<> builder(load);
  LoadInst *real = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
  load->replaceAllUsesWith(builder.CreateBitCast(real, load->getType()));
  load->eraseFromParent();
  return real;
}

// What the pieces make, where they make a float of one; null otherwise.
static Value *readPieces(BitCastInst &cast) {
  Type *type = cast.getType();
  bool single = type->isDoubleTy() || type->isFloatTy();
  if (!single || !cast.getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  Pieces pieces = piecesOf(cast.getOperand(0), APInt::getAllOnes(type->getScalarSizeInBits()), 0);
  if (!pieces.bits || pieces.shift != 0 || pieces.bits->getType() != cast.getOperand(0)->getType())
    return nullptr;
  APInt sign = APInt::getSignMask(type->getScalarSizeInBits());
  bool isFloat = (pieces.kept | sign).isAllOnes() && (pieces.turned & ~sign).isZero() && pieces.unknown.isZero();
  Value *read = isFloat ? floatOf(pieces.bits, type) : nullptr;
  if (!read)
    return nullptr;
  IRBuilder<> builder(&cast);
  if (!pieces.kept.isSignBitSet())
    read = builder.CreateUnaryIntrinsic(Intrinsic::fabs, read);
  return pieces.turned.isSignBitSet() ? builder.CreateFNeg(read) : read;
}

// Whether nothing between two instructions of a block may write to memory.
static bool isQuietBetween(const Instruction *first, const Instruction *last) {
  for (const Instruction *next = first; next != last; next = next->getNextNode())
    if (next->mayWriteToMemory())
      return false;
  return true;
}

// How many bytes a load lies behind another, in the same object.
static std::optional<int64_t> bytesBetween(const LoadInst *from, const LoadInst *to) {
  const DataLayout &layout = from->getDataLayout();
  unsigned width = layout.getIndexTypeSizeInBits(from->getPointerOperandType());
  APInt there(width, 0), here(width, 0);
  const Value *one = from->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, here, true);
  const Value *other = to->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, there, true);
  return one == other ? std::optional((there - here).getSExtValue()) : std::nullopt;
}

// A double whose halves were loaded one after the other is loaded whole.
static Value *readHalves(BitCastInst &cast) {
  Value *bits = cast.getOperand(0);
  if (!cast.getType()->isDoubleTy() || !bits->getType()->isIntegerTy() || cast.getDataLayout().isBigEndian())
    return nullptr;
  auto halfAt = [&](unsigned shift) -> LoadInst * {
    APInt asked = APInt::getBitsSet(64, shift, shift + 32);
    Pieces pieces = piecesOf(bits, asked, 0);
    auto *load = dyn_cast_or_null<LoadInst>(pieces.bits);
    bool whole = load && load->isSimple() && load->getType()->isIntegerTy(32) && pieces.shift == int(shift) &&
                 pieces.kept == asked && pieces.turned.isZero() && pieces.unknown.isZero();
    return whole ? load : nullptr;
  };
  LoadInst *low = halfAt(0), *high = halfAt(32);
  if (!low || !high || low->getParent() != high->getParent() || bytesBetween(low, high) != 4)
    return nullptr;
  bool inOrder = low->comesBefore(high);
  LoadInst *first = inOrder ? low : high, *last = inOrder ? high : low;
  if (!isQuietBetween(first, last))
    return nullptr;
  IRBuilder<> builder(last);
  return builder.CreateAlignedLoad(cast.getType(), low->getPointerOperand(), low->getAlign());
}

// Steps of the exponent that are added to the bits of a float multiply it by a power of two. That takes numbers which are too small
// to have an exponent to where the least that have one are, in half as large steps; of what has no exponent left afterwards nobody
// can say what was meant, so it is no number.
static Value *readSteps(BitCastInst &cast) {
  Type *type = cast.getType();
  Value *bits = nullptr;
  const APInt *added = nullptr;
  bool single = type->isDoubleTy() || type->isFloatTy();
  // Of what is loaded as an integer nobody knows that it ever was a float: arithmetic might flush what a small integer looks like.
  if (!single || !match(cast.getOperand(0), m_Add(m_Value(bits), m_APInt(added))) || !isa<BitCastInst>(bits))
    return nullptr;
  const fltSemantics &semantics = type->getFltSemantics();
  unsigned mantissa = APFloat::semanticsPrecision(semantics) - 1;
  int steps = int(added->ashr(mantissa).getSExtValue());
  if (added->countr_zero() < mantissa || steps == 0 || std::abs(steps) > APFloat::semanticsMaxExponent(semantics))
    return nullptr;
  Value *x = floatOf(bits, type);
  if (!x)
    return nullptr;
  IRBuilder<> builder(&cast);
  auto power = [&](int exponent) {
    APFloat one = APFloat::getOne(semantics);
    return ConstantFP::get(type, scalbn(one, exponent, APFloat::rmNearestTiesToEven));
  };
  auto *least = ConstantFP::get(type, APFloat::getSmallestNormalized(semantics));
  Value *multiplied = builder.CreateFMul(x, power(steps));
  if (steps < 0) {
    Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, multiplied);
    return builder.CreateSelect(builder.CreateFCmpOGE(size, least), multiplied, ConstantFP::getNaN(type));
  }
  Value *begin = builder.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(type, APFloat(semantics, *added)), x);
  Value *moved = builder.CreateFAdd(begin, builder.CreateFMul(x, power(steps - 1)));
  Value *isSmall = builder.CreateFCmpOLT(builder.CreateUnaryIntrinsic(Intrinsic::fabs, x), least);
  return builder.CreateSelect(isSmall, moved, multiplied);
}

bool bs_shim_read_pieces(LLVMValueRef raw) {
  SmallVector<WeakVH, 8> casts;
  for (Instruction &inst : instructions(*unwrap<Function>(raw)))
    if (isa<BitCastInst>(inst))
      casts.push_back(&inst);
  bool changed = false;
  for (const WeakVH &handle : casts) {
    auto *cast = dyn_cast_or_null<BitCastInst>(static_cast<Value *>(handle));
    Value *read = cast ? readPieces(*cast) : nullptr;
    if (cast && !read)
      read = readHalves(*cast);
    if (cast && !read)
      read = readSteps(*cast);
    if (!read)
      continue;
    cast->replaceAllUsesWith(read);
    RecursivelyDeleteTriviallyDeadInstructions(cast);
    changed = true;
  }
  return changed;
}
