// Puts our pass at its places in a host's pipeline, and answers to its names in `-passes=`.
#include "first_lanes.h"
#include "shim.h"
#include "sums.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

uint32_t linkOf(ThinOrFullLTOPhase phase) {
  switch (phase) {
  case ThinOrFullLTOPhase::None: return BsNoLink;
  case ThinOrFullLTOPhase::ThinLTOPreLink: return BsThinPreLink;
  case ThinOrFullLTOPhase::ThinLTOPostLink: return BsThinPostLink;
  case ThinOrFullLTOPhase::FullLTOPreLink: return BsFullPreLink;
  case ThinOrFullLTOPhase::FullLTOPostLink: return BsFullPostLink;
  }
  return BsNoLink;
}

struct Differentiate : PassInfoMixin<Differentiate> {
  BsCallbacks callbacks;
  uint32_t stage, link;
  std::string options;

  Differentiate(const BsCallbacks &callbacks, uint32_t stage, uint32_t link, std::string options)
      : callbacks(callbacks), stage(stage), link(link), options(std::move(options)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    bool changed = callbacks.run(stage, link, options.c_str(), reinterpret_cast<LLVMModuleRef>(&module),
                                 reinterpret_cast<BsContext *>(&analyses));
    if (!changed)
      return PreservedAnalyses::all();
    module.getOrInsertNamedMetadata(DerivativesMark);
    return PreservedAnalyses::none();
  }
  // Requests stand in functions marked optnone as well.
  static bool isRequired() { return true; }
};

struct Print : PassInfoMixin<Print> {
  BsCallbacks callbacks;
  std::string what;

  Print(const BsCallbacks &callbacks, std::string what) : callbacks(callbacks), what(std::move(what)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    callbacks.print(what.c_str(), reinterpret_cast<LLVMModuleRef>(&module),
                    reinterpret_cast<BsContext *>(&analyses));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

bool parse(StringRef name, ModulePassManager &passes, const BsCallbacks &callbacks) {
  if (name.consume_front("print<backsweep-") && name.consume_back(">")) {
    passes.addPass(Print(callbacks, name.str()));
    return true;
  }
  if (!name.consume_front("backsweep"))
    return false;
  bool bare = name.empty();
  if (!bare && !(name.consume_front("<") && name.consume_back(">")))
    return false;
  passes.addPass(Differentiate(callbacks, BsExplicit, BsNoLink, name.str()));
  return true;
}

} // namespace

void bs_shim_register(void *pass_builder, const BsCallbacks *given) {
  PassBuilder &builder = *static_cast<PassBuilder *>(pass_builder);
  BsCallbacks callbacks = *given;
  builder.registerPipelineParsingCallback(
      [callbacks](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        return parse(name, passes, callbacks);
      });
  // For lit, and for pipelines made by hand.
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == "backsweep-sums")
          passes.addPass(CarrySums());
        else if (name == "backsweep-first-lanes")
          passes.addPass(TakeFirstLanes());
        else
          return false;
        return true;
      });
  // Loops are in the shape that the vectoriser asks for, and not vectorised yet.
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(CarrySums()); });
  builder.registerPipelineStartEPCallback([callbacks](ModulePassManager &passes, OptimizationLevel) {
    passes.addPass(Differentiate(callbacks, BsStart, BsNoLink, ""));
  });
  builder.registerOptimizerEarlyEPCallback(
      [callbacks](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase phase) {
        passes.addPass(Differentiate(callbacks, BsMiddle, linkOf(phase), ""));
      });
  // What the vectorisers left is final here.
  auto finish = [](ModulePassManager &passes) { passes.addPass(createModuleToFunctionPassAdaptor(TakeFirstLanes())); };
  builder.registerOptimizerLastEPCallback(
      [finish](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) { finish(passes); });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [finish](ModulePassManager &passes, OptimizationLevel) { finish(passes); });
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [callbacks](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(Differentiate(callbacks, BsLinkTime, BsFullPostLink, ""));
      });
}
