// Numbers that an exception carries from where it is thrown to where it is caught, both in one copy: each has a variable of
// its own beside the exception, in which it is followed. Who throws and who catches stays as it is.
//
// The exception itself is made and freed by the language's runtime, and nobody can follow memory through it. But a landing
// pad is entered from calls, and those that throw here are seen: an index says from which of them control came. Where a
// handler may hold what was thrown here, what it reads is chosen by that index: the variable beside the exception, or the
// exception's own memory, in which nothing active is put. What is not understood to the last use stays as it was; a number
// that is active there is refused later.
#include "shim.h"
#include "carried.h"
#include "severed.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace carried;

namespace {

// The function at work, with all that is known of its exceptions.
struct Carrier {
  Function &function;
  std::vector<Site> sites;
  std::vector<Handler> handlers;
  Origins origins;

  explicit Carrier(Function &function) : function(function), origins(function, sites) {}

  bool gather() {
    if (mayKeepExceptions(*function.getParent()))
      return false;
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call)
        continue;
      if (mayHandOn(*call, function))
        return false;
      if (isa<InvokeInst>(call) && isCallOf(*call, "__cxa_throw"))
        sites.push_back(Site{call, madeFor(*call)});
      if (isCallOf(*call, "__cxa_begin_catch") || isCallOf(*call, "__cxa_get_exception_ptr"))
        handlers.push_back(Handler{call});
    }
    if (sites.empty() || handlers.empty())
      return false;
    for (Site &site : sites)
      site.followed = site.made && isQuietDestructor(site.thrown->getArgOperand(2)) &&
                      gatherUses(*site.made, site.uses);
    DominatorTree dominators(function);
    for (Handler &handler : handlers) {
      handler.origins = origins.leavesOf(handler.caught->getArgOperand(0));
      handler.type = caughtType(*handler.caught, dominators);
      for (int origin : std::set<int>(handler.origins))
        if (origin > Origins::Foreign && handler.type && !mayBeCaughtAs(sites[origin - 1].type(), handler.type))
          handler.origins.erase(origin);
      handler.understood = gatherUses(*handler.caught, handler.uses);
      if (handler.origins.count(Origins::Untold))
        return false;
    }
    return true;
  }

  void settle() {
    for (Handler &handler : handlers) {
      std::set<Instruction *> held = heldBy(*handler.caught);
      bool handsOn = any_of(held, [](Instruction *inst) {
        auto *call = dyn_cast<CallBase>(inst);
        return call && mayThrowAgain(*call);
      });
      for (int origin : handler.origins) {
        if (origin == Origins::Foreign)
          continue;
        Site &site = sites[origin - 1];
        bool again = held.count(site.thrown) || (site.made && held.count(site.made));
        bool whole = beginsWhereCaught(site.type(), handler.type);
        site.followed &= handler.understood && whole && !handsOn && !again;
      }
    }
    for (Site &site : sites)
      site.followed = site.followed && site.findFields();
    for (Handler &handler : handlers)
      for (int origin : handler.origins)
        if (origin != Origins::Foreign && sites[origin - 1].followed)
          sites[origin - 1].followed = sites[origin - 1].agreesWith(handler.uses);
  }

  bool write() {
    bool written = false;
    for (Site &site : sites)
      if (site.followed && !site.fields.empty()) {
        writeSite(site);
        written = true;
      }
    if (written)
      for (Handler &handler : handlers)
        writeHandler(handler);
    return written;
  }

  // A number goes into the exception without its derivative, as whoever else catches it expects to find it there.
  void writePlain(StoreInst &store) {
    IRBuilder<> builder(&store);
    store.setOperand(0, severed(builder, *function.getParent(), store.getValueOperand()));
  }

  void writeSite(Site &site) {
    IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
    for (auto &[offset, field] : site.fields) {
      field.slot = entry.CreateAlloca(field.type, nullptr, "carried");
      entry.CreateStore(Constant::getNullValue(field.type), field.slot);
    }
    for (Access &access : site.uses.accesses) {
      auto field = site.fields.find(access.offset);
      if (field == site.fields.end())
        continue;
      if (auto *load = dyn_cast<LoadInst>(access.inst)) {
        load->setOperand(0, field->second.slot);
        continue;
      }
      auto *store = cast<StoreInst>(access.inst);
      new StoreInst(store->getValueOperand(), field->second.slot, store->getIterator());
      writePlain(*store);
    }
  }

  void writeHandler(Handler &handler) {
    for (Access &access : handler.uses.accesses) {
      std::vector<std::pair<int, AllocaInst *>> slots;
      for (int origin : handler.origins)
        if (AllocaInst *slot = origin == Origins::Foreign ? nullptr : sites[origin - 1].slotAt(access.offset))
          slots.push_back({origin, slot});
      if (slots.empty())
        continue;
      IRBuilder<> builder(access.inst);
      builder.SetCurrentDebugLocation(access.inst->getDebugLoc());
      Value *index = origins.indexOf(handler.caught->getArgOperand(0));
      if (auto *load = dyn_cast<LoadInst>(access.inst)) {
        Value *read = slots.size() == handler.origins.size() ? nullptr : readPlain(builder, *load);
        for (auto [origin, slot] : slots) {
          Value *held = builder.CreateLoad(access.type, slot);
          Value *mine = builder.CreateICmpEQ(index, builder.getInt32(origin));
          read = read ? builder.CreateSelect(mine, held, read) : held;
        }
        load->replaceAllUsesWith(read);
        load->eraseFromParent();
        continue;
      }
      auto *store = cast<StoreInst>(access.inst);
      for (auto [origin, slot] : slots) {
        Value *mine = builder.CreateICmpEQ(index, builder.getInt32(origin));
        Value *held = builder.CreateLoad(access.type, slot);
        builder.CreateStore(builder.CreateSelect(mine, store->getValueOperand(), held), slot);
      }
      put(builder, *function.getParent(), store->getPointerOperand(), store->getValueOperand());
      store->eraseFromParent();
    }
  }

  // What others have thrown carries nothing active, wherever in memory it lies.
  Value *readPlain(IRBuilder<> &builder, LoadInst &load) {
    return looked(builder, *function.getParent(), load.getPointerOperand(), load.getType());
  }
};

}  // namespace

bool bs_shim_carry_numbers(LLVMValueRef raw) {
  auto &function = *unwrap<Function>(raw);
  // What no way leads to holds values of nowhere.
  removeUnreachableBlocks(function);
  Carrier carrier(function);
  if (!carrier.gather())
    return false;
  carrier.settle();
  return carrier.write();
}

void bs_shim_name_messages(LLVMValueRef raw) { nameMessages(*unwrap<Function>(raw)); }
