// Answers of LLVM's analyses about one function, for extraction to write down.
#include "shim.h"

#include <cstring>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

// Scalar evolution looks at the exit conditions of all loops before the one asked about, and at what each says of the
// others: cubic in loops that follow each other, 3 s for 400 of them. Of a function with more loops than this, the
// later ones stay unknown: they are counted at run time.
static constexpr unsigned MostLoopsAsked = 192;

struct BsFacts {
  LoopInfo &loops;
  ScalarEvolution &evolution;
  AAResults &alias;
  MemorySSA &memory;
  const TargetLibraryInfo &library;
  SmallVector<Loop *, 8> order;  // outer loops before inner ones
  DenseMap<const Loop *, int> number;  // the place of each in that order
};

BsFacts *bs_shim_facts_new(BsContext *context, LLVMValueRef value) {
  auto *function = unwrap<Function>(value);
  auto &modules = *reinterpret_cast<ModuleAnalysisManager *>(context);
  auto &functions = modules.getResult<FunctionAnalysisManagerModuleProxy>(*function->getParent()).getManager();
  auto &loops = functions.getResult<LoopAnalysis>(*function);
  auto *facts = new BsFacts{loops,
                            functions.getResult<ScalarEvolutionAnalysis>(*function),
                            functions.getResult<AAManager>(*function),
                            functions.getResult<MemorySSAAnalysis>(*function).getMSSA(),
                            functions.getResult<TargetLibraryAnalysis>(*function),
                            {},
                            DenseMap<const Loop *, int>()};
  for (Loop *loop : loops.getLoopsInPreorder()) {
    facts->number[loop] = facts->order.size();
    facts->order.push_back(loop);
  }
  return facts;
}

void bs_shim_facts_free(BsFacts *facts) { delete facts; }

static int indexOf(BsFacts *facts, const Loop *loop) {
  auto at = facts->number.find(loop);
  return at == facts->number.end() ? -1 : at->second;
}

unsigned bs_shim_loop_count(BsFacts *facts) { return facts->order.size(); }

LLVMBasicBlockRef bs_shim_loop_header(BsFacts *facts, unsigned loop) { return wrap(facts->order[loop]->getHeader()); }

int bs_shim_loop_parent(BsFacts *facts, unsigned loop) { return indexOf(facts, facts->order[loop]->getParentLoop()); }

LLVMBasicBlockRef bs_shim_loop_preheader(BsFacts *facts, unsigned loop) {
  return wrap(facts->order[loop]->getLoopPreheader());
}

void bs_shim_loop_blocks(BsFacts *facts, unsigned index, uint32_t which, void (*each)(void *, LLVMBasicBlockRef),
                         void *user) {
  Loop *loop = facts->order[index];
  SmallVector<BasicBlock *, 8> blocks;
  switch (which) {
  case BsBody: blocks.append(loop->block_begin(), loop->block_end()); break;
  case BsLatches: loop->getLoopLatches(blocks); break;
  case BsExiting: loop->getExitingBlocks(blocks); break;
  case BsExits: loop->getUniqueExitBlocks(blocks); break;
  }
  for (BasicBlock *block : blocks)
    each(user, wrap(block));
}

namespace {
// Writes a SCEV as an S-expression: `(c BITS VALUE)`, `(v ADDRESS)` for an IR value, `(+ FLAGS a b …)`,
// `(rec FLAGS LOOP start step)`, `(zext BITS a)` and so on; `?` for what has no place in the model.
struct Writer {
  BsFacts *facts;
  raw_ostream &out;
  // Scalar evolution shares subexpressions; written as a tree, n of them can have 2^n nodes. Nobody reads so much.
  unsigned budget = 64;

  void flags(const SCEVNAryExpr *node) {
    bool nuw = node->hasNoUnsignedWrap(), nsw = node->hasNoSignedWrap();
    out << (nuw && nsw ? "nuw+nsw" : nuw ? "nuw" : nsw ? "nsw" : "wraps");
  }
  void list(const char *head, const SCEVNAryExpr *node, bool withFlags) {
    out << '(' << head;
    if (withFlags) {
      out << ' ';
      flags(node);
    }
    for (const SCEV *operand : node->operands()) {
      out << ' ';
      write(operand);
    }
    out << ')';
  }
  void cast(const char *head, const SCEVCastExpr *node) {
    out << '(' << head << ' ' << facts->evolution.getTypeSizeInBits(node->getType()) << ' ';
    write(node->getOperand());
    out << ')';
  }
  void recurrence(const SCEVAddRecExpr *node) {
    int loop = indexOf(facts, node->getLoop());
    if (!node->isAffine() || loop < 0) {
      out << '?';
      return;
    }
    out << "(rec ";
    flags(node);
    out << ' ' << loop << ' ';
    write(node->getStart());
    out << ' ';
    write(node->getStepRecurrence(facts->evolution));
    out << ')';
  }
  void write(const SCEV *node) {
    if (budget == 0) {
      out << '?';
      return;
    }
    budget--;
    switch (node->getSCEVType()) {
    case scConstant: {
      const APInt &value = llvm::cast<SCEVConstant>(node)->getAPInt();
      if (value.getBitWidth() > 128) {
        out << '?';
        return;
      }
      out << "(c " << value.getBitWidth() << ' ';
      value.print(out, /*isSigned=*/true);
      out << ')';
      return;
    }
    case scUnknown:
      out << "(v " << reinterpret_cast<uintptr_t>(llvm::cast<SCEVUnknown>(node)->getValue()) << ')';
      return;
    case scAddExpr: return list("+", llvm::cast<SCEVNAryExpr>(node), true);
    case scMulExpr: return list("*", llvm::cast<SCEVNAryExpr>(node), true);
    case scSMaxExpr: return list("smax", llvm::cast<SCEVNAryExpr>(node), false);
    case scUMaxExpr: return list("umax", llvm::cast<SCEVNAryExpr>(node), false);
    case scSMinExpr: return list("smin", llvm::cast<SCEVNAryExpr>(node), false);
    case scUMinExpr:
    case scSequentialUMinExpr: return list("umin", llvm::cast<SCEVNAryExpr>(node), false);
    case scUDivExpr: {
      auto *division = llvm::cast<SCEVUDivExpr>(node);
      out << "(udiv ";
      write(division->getLHS());
      out << ' ';
      write(division->getRHS());
      out << ')';
      return;
    }
    case scAddRecExpr: return recurrence(llvm::cast<SCEVAddRecExpr>(node));
    case scTruncate: return cast("trunc", llvm::cast<SCEVCastExpr>(node));
    case scZeroExtend: return cast("zext", llvm::cast<SCEVCastExpr>(node));
    case scSignExtend: return cast("sext", llvm::cast<SCEVCastExpr>(node));
    case scPtrToInt: return cast("ptrtoint", llvm::cast<SCEVCastExpr>(node));
    default: out << '?'; return;
    }
  }
};
} // namespace

static char *textOf(BsFacts *facts, const SCEV *node) {
  std::string text;
  raw_string_ostream out(text);
  if (node && !isa<SCEVCouldNotCompute>(node))
    Writer{facts, out}.write(node);
  return strdup(text.c_str());
}

char *bs_shim_loop_back_edges(BsFacts *facts, unsigned loop) {
  if (loop >= MostLoopsAsked)
    return strdup("");
  return textOf(facts, facts->evolution.getBackedgeTakenCount(facts->order[loop]));
}

char *bs_shim_address(BsFacts *facts, LLVMValueRef pointer, LLVMValueRef at) {
  Value *value = unwrap(pointer);
  if (!facts->evolution.isSCEVable(value->getType()))
    return strdup("");
  Loop *loop = facts->loops.getLoopFor(unwrap<Instruction>(at)->getParent());
  // Outside of loops an address may be what any loop before left behind.
  bool many = facts->order.size() > MostLoopsAsked;
  if (many && (!loop || indexOf(facts, loop) >= static_cast<int>(MostLoopsAsked)))
    return strdup("");
  return textOf(facts, facts->evolution.getSCEVAtScope(value, loop));
}

void bs_shim_text_free(char *text) { free(text); }

void bs_shim_underlying_objects(LLVMValueRef pointer, void (*each)(void *, LLVMValueRef), void *user) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(unwrap(pointer), objects);
  for (const Value *object : objects)
    each(user, wrap(object));
}

unsigned bs_shim_alias(BsFacts *facts, LLVMValueRef first, LLVMValueRef second) {
  auto a = MemoryLocation::getOrNone(unwrap<Instruction>(first));
  auto b = MemoryLocation::getOrNone(unwrap<Instruction>(second));
  if (!a || !b)
    return 1;
  switch (static_cast<AliasResult::Kind>(facts->alias.alias(*a, *b))) {
  case AliasResult::NoAlias: return 0;
  case AliasResult::MayAlias: return 1;
  case AliasResult::PartialAlias: return 2;
  case AliasResult::MustAlias: return 3;
  }
  return 1;
}

bool bs_shim_clobber(BsFacts *facts, LLVMValueRef read, LLVMValueRef *instruction, LLVMBasicBlockRef *merge) {
  *instruction = nullptr;
  *merge = nullptr;
  // Memory SSA passes over some that read by their attributes: markers, and calls that alias analysis clears.
  MemoryUseOrDef *access = facts->memory.getMemoryAccess(unwrap<Instruction>(read));
  if (!access)
    return false;
  MemoryAccess *clobber = facts->memory.getWalker()->getClobberingMemoryAccess(access);
  // The walk does not begin at a fence or pad, which names no place; all that was written before may be read there.
  if (clobber == access)
    clobber = access->getDefiningAccess();
  if (facts->memory.isLiveOnEntryDef(clobber))
    return true;
  if (auto *def = dyn_cast<MemoryDef>(clobber))
    *instruction = wrap(def->getMemoryInst());
  else
    *merge = wrap(clobber->getBlock());
  return true;
}

bool bs_shim_reads_memory(LLVMValueRef instruction) { return unwrap<Instruction>(instruction)->mayReadFromMemory(); }
bool bs_shim_writes_memory(LLVMValueRef instruction) { return unwrap<Instruction>(instruction)->mayWriteToMemory(); }

bool bs_shim_is_library_call(BsFacts *facts, LLVMValueRef call) {
  auto *site = unwrap<CallBase>(call);
  LibFunc function;
  return facts->library.getLibFunc(*site, function) && facts->library.has(function);
}
