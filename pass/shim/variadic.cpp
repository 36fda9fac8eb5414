// Functions with a variable number of arguments, as functions of the list of them.
//
// What the machine does at each call, which is fixed by the System V ABI for x86-64, is written out: arguments that come in
// registers are laid out as `va_start` lays them out, the others one after another, and a list says where reading begins.
// What reads them (`va_arg` is written out by the front end) finds memory like any other.

#include "shim.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jumps.h"

using namespace llvm;

namespace {
// The list: how much of the registers is read, where the rest is, where the registers are.
constexpr unsigned NumbersRead = 0, FloatsRead = 4, Rest = 8, Registers = 16, ListSize = 24;
constexpr unsigned NumberRegisters = 6, NumberSize = 8, FloatRegisters = 8, FloatSize = 16;
constexpr unsigned FloatsBegin = NumberRegisters * NumberSize, SaveSize = FloatsBegin + FloatRegisters * FloatSize;

// Where an argument is passed.
enum class Class { Number, Float, Memory, Unknown };

struct Placed {
  Value *value;
  Class where;
  // The struct that is passed by value, where one is.
  Type *byValue;
  uint64_t offset;
};

struct Registered {
  unsigned numbers = 0, floats = 0;
};
} // namespace

static Class classOf(Type *type, bool byValue, const DataLayout &layout) {
  if (byValue || type->isX86_FP80Ty())
    return Class::Memory;
  if (type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
    return Class::Number;
  bool isSmall = type->isFloatTy() || type->isDoubleTy() || type->isHalfTy();
  bool isVector = isa<FixedVectorType>(type) && layout.getTypeStoreSize(type) <= FloatSize;
  return isSmall || isVector ? Class::Float : Class::Unknown;
}

// The named parameters take registers, too.
static Registered registersOfNamed(const Function &function) {
  Registered taken;
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (const Argument &parameter : function.args()) {
    Class where = classOf(parameter.getType(), parameter.hasByValAttr(), layout);
    taken.numbers += where == Class::Number;
    taken.floats += where == Class::Float;
  }
  return {std::min(taken.numbers, NumberRegisters), std::min(taken.floats, FloatRegisters)};
}

// Where each of the further arguments of a call stands. Whether all are of a kind that is known here.
static bool place(const CallBase &call, const Function &callee, SmallVectorImpl<Placed> &placed, uint64_t &restSize) {
  const DataLayout &layout = callee.getParent()->getDataLayout();
  Registered taken = registersOfNamed(callee);
  for (unsigned at = callee.arg_size(); at < call.arg_size(); ++at) {
    Value *value = call.getArgOperand(at);
    Type *byValue = call.isByValArgument(at) ? call.getParamByValType(at) : nullptr;
    Class where = classOf(value->getType(), byValue, layout);
    if (where == Class::Unknown)
      return false;
    if (where == Class::Number && taken.numbers < NumberRegisters) {
      placed.push_back({value, where, nullptr, uint64_t(taken.numbers++) * NumberSize});
    } else if (where == Class::Float && taken.floats < FloatRegisters) {
      placed.push_back({value, where, nullptr, FloatsBegin + uint64_t(taken.floats++) * FloatSize});
    } else {
      Type *type = byValue ? byValue : value->getType();
      uint64_t least = byValue ? call.getParamAlign(at).valueOrOne().value() : layout.getABITypeAlign(type).value();
      uint64_t begin = alignTo(restSize, std::max<uint64_t>(least, 8));
      placed.push_back({value, Class::Memory, byValue, begin});
      restSize = begin + alignTo(layout.getTypeAllocSize(type), 8);
    }
  }
  return true;
}

static AllocaInst *makeRoom(Function &caller, uint64_t size, const char *name) {
  IRBuilder<> entry(&caller.getEntryBlock(), caller.getEntryBlock().getFirstInsertionPt());
  AllocaInst *room = entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), size), nullptr, name);
  room->setAlignment(Align(16));
  return room;
}

static void fill(IRBuilder<> &builder, ArrayRef<Placed> placed, Value *registers, Value *rest, const DataLayout &layout) {
  for (const Placed &argument : placed) {
    Value *room = argument.where == Class::Memory ? rest : registers;
    Value *there = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), room, argument.offset);
    if (argument.byValue)
      builder.CreateMemCpy(there, Align(8), argument.value, Align(1), layout.getTypeAllocSize(argument.byValue));
    else
      builder.CreateAlignedStore(argument.value, there, Align(8));
  }
}

// The list as `va_start` makes it.
static Value *listOf(CallBase &call, const Function &callee, ArrayRef<Placed> placed, uint64_t restSize) {
  Function &caller = *call.getFunction();
  Value *registers = makeRoom(caller, SaveSize, "registers"), *list = makeRoom(caller, ListSize, "list");
  Value *rest = makeRoom(caller, std::max<uint64_t>(restSize, 8), "rest");
  IRBuilder<> builder(&call);
  fill(builder, placed, registers, rest, caller.getParent()->getDataLayout());
  Registered named = registersOfNamed(callee);
  auto put = [&](Value *value, unsigned offset) {
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), list, offset));
  };
  put(builder.getInt32(named.numbers * NumberSize), NumbersRead);
  put(builder.getInt32(FloatsBegin + named.floats * FloatSize), FloatsRead);
  put(rest, Rest);
  put(registers, Registers);
  return list;
}

// The call, as one of a function that takes something else; what is said of arguments holds for those of both.
static CallBase *callInstead(CallBase &call, Function &callee, ArrayRef<Value *> given) {
  IRBuilder<> builder(&call);
  CallBase *passed = nullptr;
  if (auto *invoke = dyn_cast<InvokeInst>(&call))
    passed = builder.CreateInvoke(&callee, invoke->getNormalDest(), invoke->getUnwindDest(), given);
  else
    passed = builder.CreateCall(&callee, given);
  AttributeList attributes = call.getAttributes();
  SmallVector<AttributeSet, 8> ofNamed;
  for (unsigned at = 0; at < call.getFunctionType()->getNumParams(); ++at) {
    bool same = given[at]->getType() == call.getArgOperand(at)->getType();
    ofNamed.push_back(same ? attributes.getParamAttrs(at) : AttributeSet());
  }
  passed->setAttributes(AttributeList::get(call.getContext(), attributes.getFnAttrs(), attributes.getRetAttrs(), ofNamed));
  passed->setCallingConv(call.getCallingConv());
  passed->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(passed);
  call.eraseFromParent();
  return passed;
}

LLVMValueRef bs_shim_pass_addresses(LLVMValueRef raw, LLVMValueRef target) {
  auto *call = unwrap<CallBase>(raw);
  auto *plain = unwrap<Function>(target);
  IRBuilder<> builder(call);
  SmallVector<Value *, 8> given;
  for (Argument &parameter : plain->args()) {
    Value *value = call->getArgOperand(parameter.getArgNo());
    auto *number = dyn_cast<PtrToIntInst>(value);
    if (value->getType() != parameter.getType())
      value = number ? number->getPointerOperand() : builder.CreateIntToPtr(value, parameter.getType());
    given.push_back(value);
  }
  return wrap(callInstead(*call, *plain, given));
}

LLVMValueRef bs_shim_pass_list(LLVMValueRef raw, LLVMValueRef target) {
  auto *call = unwrap<CallBase>(raw);
  auto *plain = unwrap<Function>(target);
  Function *callee = call->getCalledFunction();
  SmallVector<Placed, 8> placed;
  uint64_t restSize = 0;
  if (!place(*call, *callee, placed, restSize))
    return nullptr;
  SmallVector<Value *, 8> given(call->arg_begin(), call->arg_begin() + callee->arg_size());
  given.push_back(listOf(*call, *callee, placed, restSize));
  return wrap(callInstead(*call, *plain, given));
}

// Lists are begun and copied by copying what a list is; none needs to be ended.
static void readList(Function &function, Value *given) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    if (!intrinsic)
      continue;
    IRBuilder<> builder(intrinsic);
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::vastart:
      builder.CreateMemCpy(intrinsic->getArgOperand(0), Align(8), given, Align(8), ListSize);
      break;
    case Intrinsic::vacopy:
      builder.CreateMemCpy(intrinsic->getArgOperand(0), Align(8), intrinsic->getArgOperand(1), Align(8), ListSize);
      break;
    case Intrinsic::vaend:
      break;
    default:
      continue;
    }
    intrinsic->eraseFromParent();
  }
}

static bool knowsLists(const Module &module) {
  return module.getTargetTriple().getArch() == Triple::x86_64 && !module.getTargetTriple().isOSWindows();
}

// A struct of one pointer that finds no register any more is passed as a number, as a lambda that captures one reference.
static bool isAddress(const Argument &parameter) {
  const DataLayout &layout = parameter.getParent()->getParent()->getDataLayout();
  return parameter.getType()->isIntegerTy(layout.getPointerSizeInBits()) && !parameter.use_empty() &&
         all_of(parameter.users(), [](const User *user) {
           auto *made = dyn_cast<IntToPtrInst>(user);
           return made && made->getType()->getPointerAddressSpace() == 0;
         });
}

static bool isTied(const Function &function) {
  bool takesList = function.isVarArg() && knowsLists(*function.getParent());
  return takesList || hasJumps(function) || (!function.isVarArg() && any_of(function.args(), isAddress));
}

bool bs_shim_is_tied(LLVMValueRef function) { return isTied(*unwrap<Function>(function)); }

LLVMValueRef bs_shim_free_copy(LLVMValueRef raw, const char *name) {
  auto *original = unwrap<Function>(raw);
  SmallVector<Type *, 8> parameters(original->getFunctionType()->params());
  if (original->isVarArg())
    parameters.push_back(PointerType::get(original->getContext(), 0));
  auto isTakenAsNumber = [&](const Argument &parameter) { return !original->isVarArg() && isAddress(parameter); };
  for (Argument &parameter : original->args())
    if (isTakenAsNumber(parameter))
      parameters[parameter.getArgNo()] = PointerType::get(original->getContext(), 0);
  auto *type = FunctionType::get(original->getReturnType(), parameters, false);
  auto *copy = Function::Create(type, GlobalValue::InternalLinkage, name, original->getParent());
  ValueToValueMapTy map;
  // Those stand for addresses until the body is there that makes them addresses again.
  SmallVector<PtrToIntInst *, 2> numbers;
  for (Argument &parameter : original->args()) {
    Argument *twin = copy->getArg(parameter.getArgNo());
    twin->setName(parameter.getName());
    map[&parameter] = twin;
    if (isTakenAsNumber(parameter))
      {
      numbers.push_back(new PtrToIntInst(twin, parameter.getType()));
      map[&parameter] = numbers.back();
    }
  }
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, original, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  for (PtrToIntInst *number : numbers) {
    for (User *user : make_early_inc_range(number->users())) {
      user->replaceAllUsesWith(number->getPointerOperand());
      cast<Instruction>(user)->eraseFromParent();
    }
    number->deleteValue();
  }
  openJumps(*original, *copy);
  if (original->isVarArg())
    readList(*copy, copy->getArg(copy->arg_size() - 1));
  for (auto kind : {Attribute::OptimizeNone, Attribute::NoInline})
    copy->removeFnAttr(kind);
  return wrap(copy);
}
