; ModuleID = '/work/h1/bench/programs/heat-coefficient.c'
source_filename = "/work/h1/bench/programs/heat-coefficient.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.bench_program = type { ptr, i64, i64, ptr, ptr, ptr, ptr }

@.str = private unnamed_addr constant [17 x i8] c"heat_coefficient\00", align 1, !dbg !0
@bench_heat_coefficient = dso_local constant %struct.bench_program { ptr @.str, i64 4096, i64 4096, ptr @set_up, ptr @primal, ptr @ours, ptr @by_hand }, align 8, !dbg !7
@bs_dup_noneed = external global i32, align 4
@by_hand.states = internal global [101 x [2048 x double]] zeroinitializer, align 16, !dbg !15

; Function Attrs: nounwind uwtable
define internal void @set_up(ptr noundef %0) #0 !dbg !90 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  store ptr %0, ptr %2, align 8, !tbaa !95
    #dbg_declare(ptr %2, !92, !DIExpression(), !98)
  call void @llvm.lifetime.start.p0(ptr %3) #8, !dbg !99
    #dbg_declare(ptr %3, !93, !DIExpression(), !100)
  store i64 0, ptr %3, align 8, !dbg !101, !tbaa !102
  br label %4, !dbg !99

4:                                                ; preds = %23, %1
  %5 = load i64, ptr %3, align 8, !dbg !104, !tbaa !102
  %6 = icmp ult i64 %5, 2048, !dbg !106
  br i1 %6, label %8, label %7, !dbg !107

7:                                                ; preds = %4
  call void @llvm.lifetime.end.p0(ptr %3) #8, !dbg !108
  br label %26

8:                                                ; preds = %4
  %9 = load i64, ptr %3, align 8, !dbg !109, !tbaa !102
  %10 = call double @bench_number(i64 noundef %9), !dbg !111
  %11 = call double @llvm.fmuladd.f64(double 1.000000e-01, double %10, double 2.000000e-01), !dbg !112
  %12 = load ptr, ptr %2, align 8, !dbg !113, !tbaa !95
  %13 = load i64, ptr %3, align 8, !dbg !114, !tbaa !102
  %14 = getelementptr inbounds nuw double, ptr %12, i64 %13, !dbg !113
  store double %11, ptr %14, align 8, !dbg !115, !tbaa !116
  %15 = load i64, ptr %3, align 8, !dbg !118, !tbaa !102
  %16 = mul i64 3, %15, !dbg !119
  %17 = add i64 %16, 1, !dbg !120
  %18 = call double @bench_number(i64 noundef %17), !dbg !121
  %19 = load ptr, ptr %2, align 8, !dbg !122, !tbaa !95
  %20 = load i64, ptr %3, align 8, !dbg !123, !tbaa !102
  %21 = add i64 2048, %20, !dbg !124
  %22 = getelementptr inbounds nuw double, ptr %19, i64 %21, !dbg !122
  store double %18, ptr %22, align 8, !dbg !125, !tbaa !116
  br label %23, !dbg !126

23:                                               ; preds = %8
  %24 = load i64, ptr %3, align 8, !dbg !127, !tbaa !102
  %25 = add i64 %24, 1, !dbg !128
  store i64 %25, ptr %3, align 8, !dbg !129, !tbaa !102
  br label %4, !dbg !108, !llvm.loop !130

26:                                               ; preds = %7
  ret void, !dbg !134
}

; Function Attrs: nounwind uwtable
define internal double @primal(ptr noalias noundef %0, ptr noalias noundef %1) #0 !dbg !135 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca double, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca ptr, align 8
  %14 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !95
    #dbg_declare(ptr %3, !141, !DIExpression(), !158)
  store ptr %1, ptr %4, align 8, !tbaa !95
    #dbg_declare(ptr %4, !142, !DIExpression(), !159)
  call void @llvm.lifetime.start.p0(ptr %5) #8, !dbg !160
    #dbg_declare(ptr %5, !143, !DIExpression(), !161)
  %15 = load ptr, ptr %3, align 8, !dbg !162, !tbaa !95
  store ptr %15, ptr %5, align 8, !dbg !163, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %6) #8, !dbg !164
    #dbg_declare(ptr %6, !144, !DIExpression(), !165)
  %16 = load ptr, ptr %4, align 8, !dbg !166, !tbaa !95
  store ptr %16, ptr %6, align 8, !dbg !167, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %7) #8, !dbg !164
    #dbg_declare(ptr %7, !145, !DIExpression(), !168)
  %17 = load ptr, ptr %4, align 8, !dbg !169, !tbaa !95
  %18 = getelementptr inbounds double, ptr %17, i64 2048, !dbg !170
  store ptr %18, ptr %7, align 8, !dbg !171, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %8) #8, !dbg !164
    #dbg_declare(ptr %8, !146, !DIExpression(), !172)
  store double 0.000000e+00, ptr %8, align 8, !dbg !173, !tbaa !116
  call void @llvm.lifetime.start.p0(ptr %9) #8, !dbg !174
    #dbg_declare(ptr %9, !147, !DIExpression(), !175)
  store i32 0, ptr %9, align 4, !dbg !176, !tbaa !86
  br label %19, !dbg !174

19:                                               ; preds = %34, %2
  %20 = load i32, ptr %9, align 4, !dbg !177, !tbaa !86
  %21 = icmp slt i32 %20, 2048, !dbg !179
  br i1 %21, label %23, label %22, !dbg !180

22:                                               ; preds = %19
  call void @llvm.lifetime.end.p0(ptr %9) #8, !dbg !181
  br label %37

23:                                               ; preds = %19
  %24 = load ptr, ptr %3, align 8, !dbg !182, !tbaa !95
  %25 = load i32, ptr %9, align 4, !dbg !183, !tbaa !86
  %26 = add nsw i32 2048, %25, !dbg !184
  %27 = sext i32 %26 to i64, !dbg !182
  %28 = getelementptr inbounds double, ptr %24, i64 %27, !dbg !182
  %29 = load double, ptr %28, align 8, !dbg !185, !tbaa !116
  %30 = load ptr, ptr %6, align 8, !dbg !186, !tbaa !95
  %31 = load i32, ptr %9, align 4, !dbg !187, !tbaa !86
  %32 = sext i32 %31 to i64, !dbg !186
  %33 = getelementptr inbounds double, ptr %30, i64 %32, !dbg !186
  store double %29, ptr %33, align 8, !dbg !188, !tbaa !116
  br label %34, !dbg !189

34:                                               ; preds = %23
  %35 = load i32, ptr %9, align 4, !dbg !190, !tbaa !86
  %36 = add nsw i32 %35, 1, !dbg !191
  store i32 %36, ptr %9, align 4, !dbg !192, !tbaa !86
  br label %19, !dbg !181, !llvm.loop !193

37:                                               ; preds = %22
  call void @llvm.lifetime.start.p0(ptr %10) #8, !dbg !196
    #dbg_declare(ptr %10, !149, !DIExpression(), !197)
  store i32 0, ptr %10, align 4, !dbg !198, !tbaa !86
  br label %38, !dbg !196

38:                                               ; preds = %99, %37
  %39 = load i32, ptr %10, align 4, !dbg !199, !tbaa !86
  %40 = icmp slt i32 %39, 100, !dbg !200
  br i1 %40, label %42, label %41, !dbg !201

41:                                               ; preds = %38
  store i32 5, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %10) #8, !dbg !202
  br label %102

42:                                               ; preds = %38
  %43 = load ptr, ptr %6, align 8, !dbg !203, !tbaa !95
  %44 = getelementptr inbounds double, ptr %43, i64 0, !dbg !203
  %45 = load double, ptr %44, align 8, !dbg !204, !tbaa !116
  %46 = load ptr, ptr %7, align 8, !dbg !205, !tbaa !95
  %47 = getelementptr inbounds double, ptr %46, i64 0, !dbg !205
  store double %45, ptr %47, align 8, !dbg !206, !tbaa !116
  %48 = load ptr, ptr %6, align 8, !dbg !207, !tbaa !95
  %49 = getelementptr inbounds double, ptr %48, i64 2047, !dbg !207
  %50 = load double, ptr %49, align 8, !dbg !208, !tbaa !116
  %51 = load ptr, ptr %7, align 8, !dbg !209, !tbaa !95
  %52 = getelementptr inbounds double, ptr %51, i64 2047, !dbg !209
  store double %50, ptr %52, align 8, !dbg !210, !tbaa !116
  call void @llvm.lifetime.start.p0(ptr %12) #8, !dbg !211
    #dbg_declare(ptr %12, !151, !DIExpression(), !212)
  store i32 1, ptr %12, align 4, !dbg !213, !tbaa !86
  br label %53, !dbg !211

53:                                               ; preds = %92, %42
  %54 = load i32, ptr %12, align 4, !dbg !214, !tbaa !86
  %55 = icmp slt i32 %54, 2047, !dbg !216
  br i1 %55, label %57, label %56, !dbg !217

56:                                               ; preds = %53
  store i32 8, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #8, !dbg !218
  br label %95

57:                                               ; preds = %53
  %58 = load ptr, ptr %6, align 8, !dbg !219, !tbaa !95
  %59 = load i32, ptr %12, align 4, !dbg !220, !tbaa !86
  %60 = sext i32 %59 to i64, !dbg !219
  %61 = getelementptr inbounds double, ptr %58, i64 %60, !dbg !219
  %62 = load double, ptr %61, align 8, !dbg !219, !tbaa !116
  %63 = load ptr, ptr %5, align 8, !dbg !221, !tbaa !95
  %64 = load i32, ptr %12, align 4, !dbg !222, !tbaa !86
  %65 = sext i32 %64 to i64, !dbg !221
  %66 = getelementptr inbounds double, ptr %63, i64 %65, !dbg !221
  %67 = load double, ptr %66, align 8, !dbg !221, !tbaa !116
  %68 = load ptr, ptr %6, align 8, !dbg !223, !tbaa !95
  %69 = load i32, ptr %12, align 4, !dbg !224, !tbaa !86
  %70 = sub nsw i32 %69, 1, !dbg !225
  %71 = sext i32 %70 to i64, !dbg !223
  %72 = getelementptr inbounds double, ptr %68, i64 %71, !dbg !223
  %73 = load double, ptr %72, align 8, !dbg !223, !tbaa !116
  %74 = load ptr, ptr %6, align 8, !dbg !226, !tbaa !95
  %75 = load i32, ptr %12, align 4, !dbg !227, !tbaa !86
  %76 = sext i32 %75 to i64, !dbg !226
  %77 = getelementptr inbounds double, ptr %74, i64 %76, !dbg !226
  %78 = load double, ptr %77, align 8, !dbg !226, !tbaa !116
  %79 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %78, double %73), !dbg !228
  %80 = load ptr, ptr %6, align 8, !dbg !229, !tbaa !95
  %81 = load i32, ptr %12, align 4, !dbg !230, !tbaa !86
  %82 = add nsw i32 %81, 1, !dbg !231
  %83 = sext i32 %82 to i64, !dbg !229
  %84 = getelementptr inbounds double, ptr %80, i64 %83, !dbg !229
  %85 = load double, ptr %84, align 8, !dbg !229, !tbaa !116
  %86 = fadd double %79, %85, !dbg !232
  %87 = call double @llvm.fmuladd.f64(double %67, double %86, double %62), !dbg !233
  %88 = load ptr, ptr %7, align 8, !dbg !234, !tbaa !95
  %89 = load i32, ptr %12, align 4, !dbg !235, !tbaa !86
  %90 = sext i32 %89 to i64, !dbg !234
  %91 = getelementptr inbounds double, ptr %88, i64 %90, !dbg !234
  store double %87, ptr %91, align 8, !dbg !236, !tbaa !116
  br label %92, !dbg !237

92:                                               ; preds = %57
  %93 = load i32, ptr %12, align 4, !dbg !238, !tbaa !86
  %94 = add nsw i32 %93, 1, !dbg !239
  store i32 %94, ptr %12, align 4, !dbg !240, !tbaa !86
  br label %53, !dbg !218, !llvm.loop !241

95:                                               ; preds = %56
  call void @llvm.lifetime.start.p0(ptr %13) #8, !dbg !244
    #dbg_declare(ptr %13, !155, !DIExpression(), !245)
  %96 = load ptr, ptr %6, align 8, !dbg !246, !tbaa !95
  store ptr %96, ptr %13, align 8, !dbg !247, !tbaa !95
  %97 = load ptr, ptr %7, align 8, !dbg !248, !tbaa !95
  store ptr %97, ptr %6, align 8, !dbg !249, !tbaa !95
  %98 = load ptr, ptr %13, align 8, !dbg !250, !tbaa !95
  store ptr %98, ptr %7, align 8, !dbg !251, !tbaa !95
  call void @llvm.lifetime.end.p0(ptr %13) #8, !dbg !252
  br label %99, !dbg !253

99:                                               ; preds = %95
  %100 = load i32, ptr %10, align 4, !dbg !254, !tbaa !86
  %101 = add nsw i32 %100, 1, !dbg !255
  store i32 %101, ptr %10, align 4, !dbg !256, !tbaa !86
  br label %38, !dbg !202, !llvm.loop !257

102:                                              ; preds = %41
  call void @llvm.lifetime.start.p0(ptr %14) #8, !dbg !260
    #dbg_declare(ptr %14, !156, !DIExpression(), !261)
  store i32 0, ptr %14, align 4, !dbg !262, !tbaa !86
  br label %103, !dbg !260

103:                                              ; preds = %121, %102
  %104 = load i32, ptr %14, align 4, !dbg !263, !tbaa !86
  %105 = icmp slt i32 %104, 2048, !dbg !265
  br i1 %105, label %107, label %106, !dbg !266

106:                                              ; preds = %103
  store i32 11, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %14) #8, !dbg !267
  br label %124

107:                                              ; preds = %103
  %108 = load ptr, ptr %6, align 8, !dbg !268, !tbaa !95
  %109 = load i32, ptr %14, align 4, !dbg !269, !tbaa !86
  %110 = sext i32 %109 to i64, !dbg !268
  %111 = getelementptr inbounds double, ptr %108, i64 %110, !dbg !268
  %112 = load double, ptr %111, align 8, !dbg !268, !tbaa !116
  %113 = fmul double 5.000000e-01, %112, !dbg !270
  %114 = load ptr, ptr %6, align 8, !dbg !271, !tbaa !95
  %115 = load i32, ptr %14, align 4, !dbg !272, !tbaa !86
  %116 = sext i32 %115 to i64, !dbg !271
  %117 = getelementptr inbounds double, ptr %114, i64 %116, !dbg !271
  %118 = load double, ptr %117, align 8, !dbg !271, !tbaa !116
  %119 = load double, ptr %8, align 8, !dbg !273, !tbaa !116
  %120 = call double @llvm.fmuladd.f64(double %113, double %118, double %119), !dbg !274
  store double %120, ptr %8, align 8, !dbg !275, !tbaa !116
  br label %121, !dbg !276

121:                                              ; preds = %107
  %122 = load i32, ptr %14, align 4, !dbg !277, !tbaa !86
  %123 = add nsw i32 %122, 1, !dbg !278
  store i32 %123, ptr %14, align 4, !dbg !279, !tbaa !86
  br label %103, !dbg !267, !llvm.loop !280

124:                                              ; preds = %106
  %125 = load double, ptr %8, align 8, !dbg !283, !tbaa !116
  store i32 1, ptr %11, align 4
  call void @llvm.lifetime.end.p0(ptr %8) #8, !dbg !284
  call void @llvm.lifetime.end.p0(ptr %7) #8, !dbg !284
  call void @llvm.lifetime.end.p0(ptr %6) #8, !dbg !284
  call void @llvm.lifetime.end.p0(ptr %5) #8, !dbg !284
  ret double %125, !dbg !285
}

; Function Attrs: nounwind uwtable
define internal void @ours(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 !dbg !286 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store ptr %0, ptr %5, align 8, !tbaa !95
    #dbg_declare(ptr %5, !288, !DIExpression(), !292)
  store ptr %1, ptr %6, align 8, !tbaa !95
    #dbg_declare(ptr %6, !289, !DIExpression(), !292)
  store ptr %2, ptr %7, align 8, !tbaa !95
    #dbg_declare(ptr %7, !290, !DIExpression(), !292)
  store ptr %3, ptr %8, align 8, !tbaa !95
    #dbg_declare(ptr %8, !291, !DIExpression(), !292)
  %9 = load ptr, ptr %5, align 8, !dbg !292, !tbaa !95
  %10 = load ptr, ptr %6, align 8, !dbg !292, !tbaa !95
  %11 = load i32, ptr @bs_dup_noneed, align 4, !dbg !292, !tbaa !86
  %12 = load ptr, ptr %7, align 8, !dbg !292, !tbaa !95
  %13 = load ptr, ptr %8, align 8, !dbg !292, !tbaa !95
  call void (ptr, ...) @__backsweep_gradient_void(ptr noundef @primal, ptr noundef %9, ptr noundef %10, i32 noundef %11, ptr noundef %12, ptr noundef %13), !dbg !292
  ret void, !dbg !293
}

; Function Attrs: nounwind uwtable
define internal void @by_hand(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 !dbg !17 {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  %10 = alloca ptr, align 8
  %11 = alloca ptr, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca ptr, align 8
  %15 = alloca ptr, align 8
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca ptr, align 8
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca ptr, align 8
  %22 = alloca i32, align 4
  store ptr %0, ptr %5, align 8, !tbaa !95
    #dbg_declare(ptr %5, !24, !DIExpression(), !294)
  store ptr %1, ptr %6, align 8, !tbaa !95
    #dbg_declare(ptr %6, !25, !DIExpression(), !295)
  store ptr %2, ptr %7, align 8, !tbaa !95
    #dbg_declare(ptr %7, !26, !DIExpression(), !296)
  store ptr %3, ptr %8, align 8, !tbaa !95
    #dbg_declare(ptr %8, !27, !DIExpression(), !297)
  call void @llvm.lifetime.start.p0(ptr %9) #8, !dbg !298
    #dbg_declare(ptr %9, !28, !DIExpression(), !299)
  %23 = load ptr, ptr %5, align 8, !dbg !300, !tbaa !95
  store ptr %23, ptr %9, align 8, !dbg !301, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %10) #8, !dbg !302
    #dbg_declare(ptr %10, !29, !DIExpression(), !303)
  %24 = load ptr, ptr %8, align 8, !dbg !304, !tbaa !95
  store ptr %24, ptr %10, align 8, !dbg !305, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %11) #8, !dbg !302
    #dbg_declare(ptr %11, !30, !DIExpression(), !306)
  %25 = load ptr, ptr %8, align 8, !dbg !307, !tbaa !95
  %26 = getelementptr inbounds double, ptr %25, i64 2048, !dbg !308
  store ptr %26, ptr %11, align 8, !dbg !309, !tbaa !95
  %27 = load ptr, ptr %7, align 8, !dbg !310, !tbaa !95
  %28 = load ptr, ptr %5, align 8, !dbg !311, !tbaa !95
  %29 = getelementptr inbounds double, ptr %28, i64 2048, !dbg !312
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 @by_hand.states, ptr align 8 %29, i64 16384, i1 false), !dbg !313
  call void @llvm.lifetime.start.p0(ptr %12) #8, !dbg !314
    #dbg_declare(ptr %12, !31, !DIExpression(), !315)
  store i32 0, ptr %12, align 4, !dbg !316, !tbaa !86
  br label %30, !dbg !314

30:                                               ; preds = %97, %4
  %31 = load i32, ptr %12, align 4, !dbg !317, !tbaa !86
  %32 = icmp slt i32 %31, 100, !dbg !318
  br i1 %32, label %34, label %33, !dbg !319

33:                                               ; preds = %30
  store i32 2, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %12) #8, !dbg !320
  br label %100

34:                                               ; preds = %30
  call void @llvm.lifetime.start.p0(ptr %14) #8, !dbg !321
    #dbg_declare(ptr %14, !34, !DIExpression(), !322)
  %35 = load i32, ptr %12, align 4, !dbg !323, !tbaa !86
  %36 = sext i32 %35 to i64, !dbg !324
  %37 = getelementptr inbounds [101 x [2048 x double]], ptr @by_hand.states, i64 0, i64 %36, !dbg !324
  %38 = getelementptr inbounds [2048 x double], ptr %37, i64 0, i64 0, !dbg !325
  store ptr %38, ptr %14, align 8, !dbg !326, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %15) #8, !dbg !327
    #dbg_declare(ptr %15, !37, !DIExpression(), !328)
  %39 = load i32, ptr %12, align 4, !dbg !329, !tbaa !86
  %40 = add nsw i32 %39, 1, !dbg !330
  %41 = sext i32 %40 to i64, !dbg !331
  %42 = getelementptr inbounds [101 x [2048 x double]], ptr @by_hand.states, i64 0, i64 %41, !dbg !331
  %43 = getelementptr inbounds [2048 x double], ptr %42, i64 0, i64 0, !dbg !332
  store ptr %43, ptr %15, align 8, !dbg !333, !tbaa !95
  %44 = load ptr, ptr %14, align 8, !dbg !334, !tbaa !95
  %45 = getelementptr inbounds double, ptr %44, i64 0, !dbg !334
  %46 = load double, ptr %45, align 8, !dbg !335, !tbaa !116
  %47 = load ptr, ptr %15, align 8, !dbg !336, !tbaa !95
  %48 = getelementptr inbounds double, ptr %47, i64 0, !dbg !336
  store double %46, ptr %48, align 8, !dbg !337, !tbaa !116
  %49 = load ptr, ptr %14, align 8, !dbg !338, !tbaa !95
  %50 = getelementptr inbounds double, ptr %49, i64 2047, !dbg !338
  %51 = load double, ptr %50, align 8, !dbg !339, !tbaa !116
  %52 = load ptr, ptr %15, align 8, !dbg !340, !tbaa !95
  %53 = getelementptr inbounds double, ptr %52, i64 2047, !dbg !340
  store double %51, ptr %53, align 8, !dbg !341, !tbaa !116
  call void @llvm.lifetime.start.p0(ptr %16) #8, !dbg !342
    #dbg_declare(ptr %16, !38, !DIExpression(), !343)
  store i32 1, ptr %16, align 4, !dbg !344, !tbaa !86
  br label %54, !dbg !342

54:                                               ; preds = %93, %34
  %55 = load i32, ptr %16, align 4, !dbg !345, !tbaa !86
  %56 = icmp slt i32 %55, 2047, !dbg !347
  br i1 %56, label %58, label %57, !dbg !348

57:                                               ; preds = %54
  store i32 5, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %16) #8, !dbg !349
  br label %96

58:                                               ; preds = %54
  %59 = load ptr, ptr %14, align 8, !dbg !350, !tbaa !95
  %60 = load i32, ptr %16, align 4, !dbg !351, !tbaa !86
  %61 = sext i32 %60 to i64, !dbg !350
  %62 = getelementptr inbounds double, ptr %59, i64 %61, !dbg !350
  %63 = load double, ptr %62, align 8, !dbg !350, !tbaa !116
  %64 = load ptr, ptr %9, align 8, !dbg !352, !tbaa !95
  %65 = load i32, ptr %16, align 4, !dbg !353, !tbaa !86
  %66 = sext i32 %65 to i64, !dbg !352
  %67 = getelementptr inbounds double, ptr %64, i64 %66, !dbg !352
  %68 = load double, ptr %67, align 8, !dbg !352, !tbaa !116
  %69 = load ptr, ptr %14, align 8, !dbg !354, !tbaa !95
  %70 = load i32, ptr %16, align 4, !dbg !355, !tbaa !86
  %71 = sub nsw i32 %70, 1, !dbg !356
  %72 = sext i32 %71 to i64, !dbg !354
  %73 = getelementptr inbounds double, ptr %69, i64 %72, !dbg !354
  %74 = load double, ptr %73, align 8, !dbg !354, !tbaa !116
  %75 = load ptr, ptr %14, align 8, !dbg !357, !tbaa !95
  %76 = load i32, ptr %16, align 4, !dbg !358, !tbaa !86
  %77 = sext i32 %76 to i64, !dbg !357
  %78 = getelementptr inbounds double, ptr %75, i64 %77, !dbg !357
  %79 = load double, ptr %78, align 8, !dbg !357, !tbaa !116
  %80 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %79, double %74), !dbg !359
  %81 = load ptr, ptr %14, align 8, !dbg !360, !tbaa !95
  %82 = load i32, ptr %16, align 4, !dbg !361, !tbaa !86
  %83 = add nsw i32 %82, 1, !dbg !362
  %84 = sext i32 %83 to i64, !dbg !360
  %85 = getelementptr inbounds double, ptr %81, i64 %84, !dbg !360
  %86 = load double, ptr %85, align 8, !dbg !360, !tbaa !116
  %87 = fadd double %80, %86, !dbg !363
  %88 = call double @llvm.fmuladd.f64(double %68, double %87, double %63), !dbg !364
  %89 = load ptr, ptr %15, align 8, !dbg !365, !tbaa !95
  %90 = load i32, ptr %16, align 4, !dbg !366, !tbaa !86
  %91 = sext i32 %90 to i64, !dbg !365
  %92 = getelementptr inbounds double, ptr %89, i64 %91, !dbg !365
  store double %88, ptr %92, align 8, !dbg !367, !tbaa !116
  br label %93, !dbg !368

93:                                               ; preds = %58
  %94 = load i32, ptr %16, align 4, !dbg !369, !tbaa !86
  %95 = add nsw i32 %94, 1, !dbg !370
  store i32 %95, ptr %16, align 4, !dbg !371, !tbaa !86
  br label %54, !dbg !349, !llvm.loop !372

96:                                               ; preds = %57
  call void @llvm.lifetime.end.p0(ptr %15) #8, !dbg !375
  call void @llvm.lifetime.end.p0(ptr %14) #8, !dbg !375
  br label %97, !dbg !376

97:                                               ; preds = %96
  %98 = load i32, ptr %12, align 4, !dbg !377, !tbaa !86
  %99 = add nsw i32 %98, 1, !dbg !378
  store i32 %99, ptr %12, align 4, !dbg !379, !tbaa !86
  br label %30, !dbg !320, !llvm.loop !380

100:                                              ; preds = %33
  %101 = load ptr, ptr %11, align 8, !dbg !383, !tbaa !95
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %101, ptr align 16 getelementptr inbounds ([101 x [2048 x double]], ptr @by_hand.states, i64 0, i64 100), i64 16384, i1 false), !dbg !384
  call void @llvm.lifetime.start.p0(ptr %17) #8, !dbg !385
    #dbg_declare(ptr %17, !40, !DIExpression(), !386)
  store i32 99, ptr %17, align 4, !dbg !387, !tbaa !86
  br label %102, !dbg !385

102:                                              ; preds = %262, %100
  %103 = load i32, ptr %17, align 4, !dbg !388, !tbaa !86
  %104 = icmp sge i32 %103, 0, !dbg !389
  br i1 %104, label %106, label %105, !dbg !390

105:                                              ; preds = %102
  store i32 8, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %17) #8, !dbg !391
  br label %265

106:                                              ; preds = %102
  call void @llvm.lifetime.start.p0(ptr %18) #8, !dbg !392
    #dbg_declare(ptr %18, !42, !DIExpression(), !393)
  %107 = load i32, ptr %17, align 4, !dbg !394, !tbaa !86
  %108 = sext i32 %107 to i64, !dbg !395
  %109 = getelementptr inbounds [101 x [2048 x double]], ptr @by_hand.states, i64 0, i64 %108, !dbg !395
  %110 = getelementptr inbounds [2048 x double], ptr %109, i64 0, i64 0, !dbg !396
  store ptr %110, ptr %18, align 8, !dbg !397, !tbaa !95
  call void @llvm.lifetime.start.p0(ptr %19) #8, !dbg !398
    #dbg_declare(ptr %19, !45, !DIExpression(), !399)
  store i32 1, ptr %19, align 4, !dbg !400, !tbaa !86
  br label %111, !dbg !398

111:                                              ; preds = %146, %106
  %112 = load i32, ptr %19, align 4, !dbg !401, !tbaa !86
  %113 = icmp slt i32 %112, 2047, !dbg !403
  br i1 %113, label %115, label %114, !dbg !404

114:                                              ; preds = %111
  store i32 11, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %19) #8, !dbg !405
  br label %149

115:                                              ; preds = %111
  %116 = load ptr, ptr %18, align 8, !dbg !406, !tbaa !95
  %117 = load i32, ptr %19, align 4, !dbg !407, !tbaa !86
  %118 = sub nsw i32 %117, 1, !dbg !408
  %119 = sext i32 %118 to i64, !dbg !406
  %120 = getelementptr inbounds double, ptr %116, i64 %119, !dbg !406
  %121 = load double, ptr %120, align 8, !dbg !406, !tbaa !116
  %122 = load ptr, ptr %18, align 8, !dbg !409, !tbaa !95
  %123 = load i32, ptr %19, align 4, !dbg !410, !tbaa !86
  %124 = sext i32 %123 to i64, !dbg !409
  %125 = getelementptr inbounds double, ptr %122, i64 %124, !dbg !409
  %126 = load double, ptr %125, align 8, !dbg !409, !tbaa !116
  %127 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %126, double %121), !dbg !411
  %128 = load ptr, ptr %18, align 8, !dbg !412, !tbaa !95
  %129 = load i32, ptr %19, align 4, !dbg !413, !tbaa !86
  %130 = add nsw i32 %129, 1, !dbg !414
  %131 = sext i32 %130 to i64, !dbg !412
  %132 = getelementptr inbounds double, ptr %128, i64 %131, !dbg !412
  %133 = load double, ptr %132, align 8, !dbg !412, !tbaa !116
  %134 = fadd double %127, %133, !dbg !415
  %135 = load ptr, ptr %11, align 8, !dbg !416, !tbaa !95
  %136 = load i32, ptr %19, align 4, !dbg !417, !tbaa !86
  %137 = sext i32 %136 to i64, !dbg !416
  %138 = getelementptr inbounds double, ptr %135, i64 %137, !dbg !416
  %139 = load double, ptr %138, align 8, !dbg !416, !tbaa !116
  %140 = load ptr, ptr %6, align 8, !dbg !418, !tbaa !95
  %141 = load i32, ptr %19, align 4, !dbg !419, !tbaa !86
  %142 = sext i32 %141 to i64, !dbg !418
  %143 = getelementptr inbounds double, ptr %140, i64 %142, !dbg !418
  %144 = load double, ptr %143, align 8, !dbg !420, !tbaa !116
  %145 = call double @llvm.fmuladd.f64(double %134, double %139, double %144), !dbg !421
  store double %145, ptr %143, align 8, !dbg !422, !tbaa !116
  br label %146, !dbg !423

146:                                              ; preds = %115
  %147 = load i32, ptr %19, align 4, !dbg !424, !tbaa !86
  %148 = add nsw i32 %147, 1, !dbg !425
  store i32 %148, ptr %19, align 4, !dbg !426, !tbaa !86
  br label %111, !dbg !405, !llvm.loop !427

149:                                              ; preds = %114
  %150 = load ptr, ptr %11, align 8, !dbg !430, !tbaa !95
  %151 = getelementptr inbounds double, ptr %150, i64 0, !dbg !430
  %152 = load double, ptr %151, align 8, !dbg !430, !tbaa !116
  %153 = load ptr, ptr %9, align 8, !dbg !431, !tbaa !95
  %154 = getelementptr inbounds double, ptr %153, i64 1, !dbg !431
  %155 = load double, ptr %154, align 8, !dbg !431, !tbaa !116
  %156 = load ptr, ptr %11, align 8, !dbg !432, !tbaa !95
  %157 = getelementptr inbounds double, ptr %156, i64 1, !dbg !432
  %158 = load double, ptr %157, align 8, !dbg !432, !tbaa !116
  %159 = call double @llvm.fmuladd.f64(double %155, double %158, double %152), !dbg !433
  %160 = load ptr, ptr %10, align 8, !dbg !434, !tbaa !95
  %161 = getelementptr inbounds double, ptr %160, i64 0, !dbg !434
  store double %159, ptr %161, align 8, !dbg !435, !tbaa !116
  %162 = load ptr, ptr %9, align 8, !dbg !436, !tbaa !95
  %163 = getelementptr inbounds double, ptr %162, i64 1, !dbg !436
  %164 = load double, ptr %163, align 8, !dbg !436, !tbaa !116
  %165 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %164, double 1.000000e+00), !dbg !437
  %166 = load ptr, ptr %11, align 8, !dbg !438, !tbaa !95
  %167 = getelementptr inbounds double, ptr %166, i64 1, !dbg !438
  %168 = load double, ptr %167, align 8, !dbg !438, !tbaa !116
  %169 = load ptr, ptr %9, align 8, !dbg !439, !tbaa !95
  %170 = getelementptr inbounds double, ptr %169, i64 2, !dbg !439
  %171 = load double, ptr %170, align 8, !dbg !439, !tbaa !116
  %172 = load ptr, ptr %11, align 8, !dbg !440, !tbaa !95
  %173 = getelementptr inbounds double, ptr %172, i64 2, !dbg !440
  %174 = load double, ptr %173, align 8, !dbg !440, !tbaa !116
  %175 = fmul double %171, %174, !dbg !441
  %176 = call double @llvm.fmuladd.f64(double %165, double %168, double %175), !dbg !442
  %177 = load ptr, ptr %10, align 8, !dbg !443, !tbaa !95
  %178 = getelementptr inbounds double, ptr %177, i64 1, !dbg !443
  store double %176, ptr %178, align 8, !dbg !444, !tbaa !116
  call void @llvm.lifetime.start.p0(ptr %20) #8, !dbg !445
    #dbg_declare(ptr %20, !47, !DIExpression(), !446)
  store i32 2, ptr %20, align 4, !dbg !447, !tbaa !86
  br label %179, !dbg !445

179:                                              ; preds = %226, %149
  %180 = load i32, ptr %20, align 4, !dbg !448, !tbaa !86
  %181 = icmp slt i32 %180, 2046, !dbg !450
  br i1 %181, label %183, label %182, !dbg !451

182:                                              ; preds = %179
  store i32 14, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %20) #8, !dbg !452
  br label %229

183:                                              ; preds = %179
  %184 = load ptr, ptr %9, align 8, !dbg !453, !tbaa !95
  %185 = load i32, ptr %20, align 4, !dbg !454, !tbaa !86
  %186 = sext i32 %185 to i64, !dbg !453
  %187 = getelementptr inbounds double, ptr %184, i64 %186, !dbg !453
  %188 = load double, ptr %187, align 8, !dbg !453, !tbaa !116
  %189 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %188, double 1.000000e+00), !dbg !455
  %190 = load ptr, ptr %11, align 8, !dbg !456, !tbaa !95
  %191 = load i32, ptr %20, align 4, !dbg !457, !tbaa !86
  %192 = sext i32 %191 to i64, !dbg !456
  %193 = getelementptr inbounds double, ptr %190, i64 %192, !dbg !456
  %194 = load double, ptr %193, align 8, !dbg !456, !tbaa !116
  %195 = load ptr, ptr %9, align 8, !dbg !458, !tbaa !95
  %196 = load i32, ptr %20, align 4, !dbg !459, !tbaa !86
  %197 = sub nsw i32 %196, 1, !dbg !460
  %198 = sext i32 %197 to i64, !dbg !458
  %199 = getelementptr inbounds double, ptr %195, i64 %198, !dbg !458
  %200 = load double, ptr %199, align 8, !dbg !458, !tbaa !116
  %201 = load ptr, ptr %11, align 8, !dbg !461, !tbaa !95
  %202 = load i32, ptr %20, align 4, !dbg !462, !tbaa !86
  %203 = sub nsw i32 %202, 1, !dbg !463
  %204 = sext i32 %203 to i64, !dbg !461
  %205 = getelementptr inbounds double, ptr %201, i64 %204, !dbg !461
  %206 = load double, ptr %205, align 8, !dbg !461, !tbaa !116
  %207 = fmul double %200, %206, !dbg !464
  %208 = call double @llvm.fmuladd.f64(double %189, double %194, double %207), !dbg !465
  %209 = load ptr, ptr %9, align 8, !dbg !466, !tbaa !95
  %210 = load i32, ptr %20, align 4, !dbg !467, !tbaa !86
  %211 = add nsw i32 %210, 1, !dbg !468
  %212 = sext i32 %211 to i64, !dbg !466
  %213 = getelementptr inbounds double, ptr %209, i64 %212, !dbg !466
  %214 = load double, ptr %213, align 8, !dbg !466, !tbaa !116
  %215 = load ptr, ptr %11, align 8, !dbg !469, !tbaa !95
  %216 = load i32, ptr %20, align 4, !dbg !470, !tbaa !86
  %217 = add nsw i32 %216, 1, !dbg !471
  %218 = sext i32 %217 to i64, !dbg !469
  %219 = getelementptr inbounds double, ptr %215, i64 %218, !dbg !469
  %220 = load double, ptr %219, align 8, !dbg !469, !tbaa !116
  %221 = call double @llvm.fmuladd.f64(double %214, double %220, double %208), !dbg !472
  %222 = load ptr, ptr %10, align 8, !dbg !473, !tbaa !95
  %223 = load i32, ptr %20, align 4, !dbg !474, !tbaa !86
  %224 = sext i32 %223 to i64, !dbg !473
  %225 = getelementptr inbounds double, ptr %222, i64 %224, !dbg !473
  store double %221, ptr %225, align 8, !dbg !475, !tbaa !116
  br label %226, !dbg !476

226:                                              ; preds = %183
  %227 = load i32, ptr %20, align 4, !dbg !477, !tbaa !86
  %228 = add nsw i32 %227, 1, !dbg !478
  store i32 %228, ptr %20, align 4, !dbg !479, !tbaa !86
  br label %179, !dbg !452, !llvm.loop !480

229:                                              ; preds = %182
  %230 = load ptr, ptr %9, align 8, !dbg !483, !tbaa !95
  %231 = getelementptr inbounds double, ptr %230, i64 2046, !dbg !483
  %232 = load double, ptr %231, align 8, !dbg !483, !tbaa !116
  %233 = call double @llvm.fmuladd.f64(double -2.000000e+00, double %232, double 1.000000e+00), !dbg !484
  %234 = load ptr, ptr %11, align 8, !dbg !485, !tbaa !95
  %235 = getelementptr inbounds double, ptr %234, i64 2046, !dbg !485
  %236 = load double, ptr %235, align 8, !dbg !485, !tbaa !116
  %237 = load ptr, ptr %9, align 8, !dbg !486, !tbaa !95
  %238 = getelementptr inbounds double, ptr %237, i64 2045, !dbg !486
  %239 = load double, ptr %238, align 8, !dbg !486, !tbaa !116
  %240 = load ptr, ptr %11, align 8, !dbg !487, !tbaa !95
  %241 = getelementptr inbounds double, ptr %240, i64 2045, !dbg !487
  %242 = load double, ptr %241, align 8, !dbg !487, !tbaa !116
  %243 = fmul double %239, %242, !dbg !488
  %244 = call double @llvm.fmuladd.f64(double %233, double %236, double %243), !dbg !489
  %245 = load ptr, ptr %10, align 8, !dbg !490, !tbaa !95
  %246 = getelementptr inbounds double, ptr %245, i64 2046, !dbg !490
  store double %244, ptr %246, align 8, !dbg !491, !tbaa !116
  %247 = load ptr, ptr %11, align 8, !dbg !492, !tbaa !95
  %248 = getelementptr inbounds double, ptr %247, i64 2047, !dbg !492
  %249 = load double, ptr %248, align 8, !dbg !492, !tbaa !116
  %250 = load ptr, ptr %9, align 8, !dbg !493, !tbaa !95
  %251 = getelementptr inbounds double, ptr %250, i64 2046, !dbg !493
  %252 = load double, ptr %251, align 8, !dbg !493, !tbaa !116
  %253 = load ptr, ptr %11, align 8, !dbg !494, !tbaa !95
  %254 = getelementptr inbounds double, ptr %253, i64 2046, !dbg !494
  %255 = load double, ptr %254, align 8, !dbg !494, !tbaa !116
  %256 = call double @llvm.fmuladd.f64(double %252, double %255, double %249), !dbg !495
  %257 = load ptr, ptr %10, align 8, !dbg !496, !tbaa !95
  %258 = getelementptr inbounds double, ptr %257, i64 2047, !dbg !496
  store double %256, ptr %258, align 8, !dbg !497, !tbaa !116
  call void @llvm.lifetime.start.p0(ptr %21) #8, !dbg !498
    #dbg_declare(ptr %21, !49, !DIExpression(), !499)
  %259 = load ptr, ptr %10, align 8, !dbg !500, !tbaa !95
  store ptr %259, ptr %21, align 8, !dbg !501, !tbaa !95
  %260 = load ptr, ptr %11, align 8, !dbg !502, !tbaa !95
  store ptr %260, ptr %10, align 8, !dbg !503, !tbaa !95
  %261 = load ptr, ptr %21, align 8, !dbg !504, !tbaa !95
  store ptr %261, ptr %11, align 8, !dbg !505, !tbaa !95
  call void @llvm.lifetime.end.p0(ptr %21) #8, !dbg !506
  call void @llvm.lifetime.end.p0(ptr %18) #8, !dbg !506
  br label %262, !dbg !507

262:                                              ; preds = %229
  %263 = load i32, ptr %17, align 4, !dbg !508, !tbaa !86
  %264 = add nsw i32 %263, -1, !dbg !509
  store i32 %264, ptr %17, align 4, !dbg !510, !tbaa !86
  br label %102, !dbg !391, !llvm.loop !511

265:                                              ; preds = %105
  call void @llvm.lifetime.start.p0(ptr %22) #8, !dbg !514
    #dbg_declare(ptr %22, !50, !DIExpression(), !515)
  store i32 0, ptr %22, align 4, !dbg !516, !tbaa !86
  br label %266, !dbg !514

266:                                              ; preds = %283, %265
  %267 = load i32, ptr %22, align 4, !dbg !517, !tbaa !86
  %268 = icmp slt i32 %267, 2048, !dbg !519
  br i1 %268, label %270, label %269, !dbg !520

269:                                              ; preds = %266
  store i32 17, ptr %13, align 4
  call void @llvm.lifetime.end.p0(ptr %22) #8, !dbg !521
  br label %286

270:                                              ; preds = %266
  %271 = load ptr, ptr %11, align 8, !dbg !522, !tbaa !95
  %272 = load i32, ptr %22, align 4, !dbg !523, !tbaa !86
  %273 = sext i32 %272 to i64, !dbg !522
  %274 = getelementptr inbounds double, ptr %271, i64 %273, !dbg !522
  %275 = load double, ptr %274, align 8, !dbg !522, !tbaa !116
  %276 = load ptr, ptr %6, align 8, !dbg !524, !tbaa !95
  %277 = load i32, ptr %22, align 4, !dbg !525, !tbaa !86
  %278 = add nsw i32 2048, %277, !dbg !526
  %279 = sext i32 %278 to i64, !dbg !524
  %280 = getelementptr inbounds double, ptr %276, i64 %279, !dbg !524
  %281 = load double, ptr %280, align 8, !dbg !527, !tbaa !116
  %282 = fadd double %281, %275, !dbg !528
  store double %282, ptr %280, align 8, !dbg !529, !tbaa !116
  br label %283, !dbg !530

283:                                              ; preds = %270
  %284 = load i32, ptr %22, align 4, !dbg !531, !tbaa !86
  %285 = add nsw i32 %284, 1, !dbg !532
  store i32 %285, ptr %22, align 4, !dbg !533, !tbaa !86
  br label %266, !dbg !521, !llvm.loop !534

286:                                              ; preds = %269
  %287 = load ptr, ptr %8, align 8, !dbg !537, !tbaa !95
  call void @llvm.memset.p0.i64(ptr align 8 %287, i8 0, i64 32768, i1 false), !dbg !538
  call void @llvm.lifetime.end.p0(ptr %11) #8, !dbg !539
  call void @llvm.lifetime.end.p0(ptr %10) #8, !dbg !539
  call void @llvm.lifetime.end.p0(ptr %9) #8, !dbg !539
  ret void, !dbg !540
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: inlinehint nounwind uwtable
define internal double @bench_number(i64 noundef %0) #2 !dbg !541 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8, !tbaa !102
    #dbg_declare(ptr %2, !545, !DIExpression(), !546)
  %3 = load i64, ptr %2, align 8, !dbg !547, !tbaa !102
  %4 = uitofp i64 %3 to double, !dbg !548
  %5 = load i64, ptr %2, align 8, !dbg !549, !tbaa !102
  %6 = urem i64 %5, 17, !dbg !550
  %7 = uitofp i64 %6 to double, !dbg !551
  %8 = fmul double 4.141400e+00, %7, !dbg !552
  %9 = call double @llvm.fmuladd.f64(double 1.298980e+01, double %4, double %8), !dbg !553
  %10 = call double @sin(double noundef %9) #8, !dbg !554, !tbaa !86
  ret double %10, !dbg !555
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
declare !dbg !556 double @sin(double noundef) #4

declare !dbg !560 void @__backsweep_gradient_void(ptr noundef, ...) #5

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #6

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #7

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { inlinehint nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nounwind }

!llvm.dbg.cu = !{!9}
!llvm.module.flags = !{!79, !80, !81, !82, !83, !84}
!llvm.ident = !{!85}
!llvm.errno.tbaa = !{!86}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 71, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "/work/h1/bench/programs/heat-coefficient.c", directory: "", checksumkind: CSK_MD5, checksum: "e609909138f4def756e19ed95411e96c")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 136, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 17)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "bench_heat_coefficient", scope: !9, file: !2, line: 71, type: !56, isLocal: false, isDefinition: true)
!9 = distinct !DICompileUnit(language: DW_LANG_C11, file: !10, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !11, globals: !14, splitDebugInlining: false, nameTableKind: None)
!10 = !DIFile(filename: "/work/h1/bench/programs/heat-coefficient.c", directory: "/tmp/h1s36", checksumkind: CSK_MD5, checksum: "e609909138f4def756e19ed95411e96c")
!11 = !{!12, !13}
!12 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!13 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!14 = !{!0, !7, !15}
!15 = !DIGlobalVariableExpression(var: !16, expr: !DIExpression())
!16 = distinct !DIGlobalVariable(name: "states", scope: !17, file: !2, line: 38, type: !52, isLocal: true, isDefinition: true)
!17 = distinct !DISubprogram(name: "by_hand", scope: !2, file: !2, line: 36, type: !18, scopeLine: 37, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !23, keyInstructions: true)
!18 = !DISubroutineType(types: !19)
!19 = !{null, !20, !22, !22, !22}
!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!21 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !12)
!22 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!23 = !{!24, !25, !26, !27, !28, !29, !30, !31, !34, !37, !38, !40, !42, !45, !47, !49, !50}
!24 = !DILocalVariable(name: "x", arg: 1, scope: !17, file: !2, line: 36, type: !20)
!25 = !DILocalVariable(name: "dx", arg: 2, scope: !17, file: !2, line: 36, type: !22)
!26 = !DILocalVariable(name: "work", arg: 3, scope: !17, file: !2, line: 36, type: !22)
!27 = !DILocalVariable(name: "dwork", arg: 4, scope: !17, file: !2, line: 36, type: !22)
!28 = !DILocalVariable(name: "c", scope: !17, file: !2, line: 39, type: !20)
!29 = !DILocalVariable(name: "du", scope: !17, file: !2, line: 40, type: !22)
!30 = !DILocalVariable(name: "dv", scope: !17, file: !2, line: 40, type: !22)
!31 = !DILocalVariable(name: "t", scope: !32, file: !2, line: 43, type: !33)
!32 = distinct !DILexicalBlock(scope: !17, file: !2, line: 43, column: 5)
!33 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!34 = !DILocalVariable(name: "u", scope: !35, file: !2, line: 44, type: !20)
!35 = distinct !DILexicalBlock(scope: !36, file: !2, line: 43, column: 37)
!36 = distinct !DILexicalBlock(scope: !32, file: !2, line: 43, column: 5)
!37 = !DILocalVariable(name: "v", scope: !35, file: !2, line: 45, type: !22)
!38 = !DILocalVariable(name: "i", scope: !39, file: !2, line: 48, type: !33)
!39 = distinct !DILexicalBlock(scope: !35, file: !2, line: 48, column: 9)
!40 = !DILocalVariable(name: "t", scope: !41, file: !2, line: 52, type: !33)
!41 = distinct !DILexicalBlock(scope: !17, file: !2, line: 52, column: 5)
!42 = !DILocalVariable(name: "u", scope: !43, file: !2, line: 53, type: !20)
!43 = distinct !DILexicalBlock(scope: !44, file: !2, line: 52, column: 42)
!44 = distinct !DILexicalBlock(scope: !41, file: !2, line: 52, column: 5)
!45 = !DILocalVariable(name: "i", scope: !46, file: !2, line: 54, type: !33)
!46 = distinct !DILexicalBlock(scope: !43, file: !2, line: 54, column: 9)
!47 = !DILocalVariable(name: "i", scope: !48, file: !2, line: 58, type: !33)
!48 = distinct !DILexicalBlock(scope: !43, file: !2, line: 58, column: 9)
!49 = !DILocalVariable(name: "swap", scope: !43, file: !2, line: 62, type: !22)
!50 = !DILocalVariable(name: "i", scope: !51, file: !2, line: 66, type: !33)
!51 = distinct !DILexicalBlock(scope: !17, file: !2, line: 66, column: 5)
!52 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 13238272, elements: !53)
!53 = !{!54, !55}
!54 = !DISubrange(count: 101)
!55 = !DISubrange(count: 2048)
!56 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !57)
!57 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "bench_program", file: !58, line: 12, size: 448, elements: !59)
!58 = !DIFile(filename: "/work/h1/bench/programs/../program.h", directory: "", checksumkind: CSK_MD5, checksum: "ebcade9e4ffdb3f0de17fffe18b31237")
!59 = !{!60, !63, !67, !68, !72, !76, !78}
!60 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !57, file: !58, line: 13, baseType: !61, size: 64)
!61 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !62, size: 64)
!62 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
!63 = !DIDerivedType(tag: DW_TAG_member, name: "inputs", scope: !57, file: !58, line: 15, baseType: !64, size: 64, offset: 64)
!64 = !DIDerivedType(tag: DW_TAG_typedef, name: "size_t", file: !65, line: 18, baseType: !66)
!65 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__stddef_size_t.h", directory: "", checksumkind: CSK_MD5, checksum: "2c44e821a2b1951cde2eb0fb2e656867")
!66 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!67 = !DIDerivedType(tag: DW_TAG_member, name: "work", scope: !57, file: !58, line: 15, baseType: !64, size: 64, offset: 128)
!68 = !DIDerivedType(tag: DW_TAG_member, name: "set_up", scope: !57, file: !58, line: 16, baseType: !69, size: 64, offset: 192)
!69 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !70, size: 64)
!70 = !DISubroutineType(types: !71)
!71 = !{null, !22}
!72 = !DIDerivedType(tag: DW_TAG_member, name: "primal", scope: !57, file: !58, line: 17, baseType: !73, size: 64, offset: 256)
!73 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !74, size: 64)
!74 = !DISubroutineType(types: !75)
!75 = !{!12, !20, !22}
!76 = !DIDerivedType(tag: DW_TAG_member, name: "ours", scope: !57, file: !58, line: 19, baseType: !77, size: 64, offset: 320)
!77 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !18, size: 64)
!78 = !DIDerivedType(tag: DW_TAG_member, name: "by_hand", scope: !57, file: !58, line: 20, baseType: !77, size: 64, offset: 384)
!79 = !{i32 7, !"Dwarf Version", i32 5}
!80 = !{i32 2, !"Debug Info Version", i32 3}
!81 = !{i32 1, !"wchar_size", i32 4}
!82 = !{i32 8, !"PIC Level", i32 2}
!83 = !{i32 7, !"PIE Level", i32 2}
!84 = !{i32 7, !"uwtable", i32 2}
!85 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!86 = !{!87, !87, i64 0}
!87 = !{!"int", !88, i64 0}
!88 = !{!"omnipotent char", !89, i64 0}
!89 = !{!"Simple C/C++ TBAA"}
!90 = distinct !DISubprogram(name: "set_up", scope: !2, file: !2, line: 7, type: !70, scopeLine: 8, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !91, keyInstructions: true)
!91 = !{!92, !93}
!92 = !DILocalVariable(name: "x", arg: 1, scope: !90, file: !2, line: 7, type: !22)
!93 = !DILocalVariable(name: "i", scope: !94, file: !2, line: 9, type: !64)
!94 = distinct !DILexicalBlock(scope: !90, file: !2, line: 9, column: 5)
!95 = !{!96, !96, i64 0}
!96 = !{!"p1 double", !97, i64 0}
!97 = !{!"any pointer", !88, i64 0}
!98 = !DILocation(line: 7, column: 28, scope: !90)
!99 = !DILocation(line: 9, column: 10, scope: !94)
!100 = !DILocation(line: 9, column: 17, scope: !94)
!101 = !DILocation(line: 9, column: 17, scope: !94, atomGroup: 1, atomRank: 1)
!102 = !{!103, !103, i64 0}
!103 = !{!"long", !88, i64 0}
!104 = !DILocation(line: 9, column: 24, scope: !105)
!105 = distinct !DILexicalBlock(scope: !94, file: !2, line: 9, column: 5)
!106 = !DILocation(line: 9, column: 26, scope: !105, atomGroup: 2, atomRank: 1)
!107 = !DILocation(line: 9, column: 5, scope: !94, atomGroup: 3, atomRank: 1)
!108 = !DILocation(line: 9, column: 5, scope: !105)
!109 = !DILocation(line: 10, column: 41, scope: !110)
!110 = distinct !DILexicalBlock(scope: !105, file: !2, line: 9, column: 36)
!111 = !DILocation(line: 10, column: 28, scope: !110)
!112 = !DILocation(line: 10, column: 20, scope: !110, atomGroup: 4, atomRank: 2)
!113 = !DILocation(line: 10, column: 9, scope: !110)
!114 = !DILocation(line: 10, column: 11, scope: !110)
!115 = !DILocation(line: 10, column: 14, scope: !110, atomGroup: 4, atomRank: 1)
!116 = !{!117, !117, i64 0}
!117 = !{!"double", !88, i64 0}
!118 = !DILocation(line: 11, column: 37, scope: !110)
!119 = !DILocation(line: 11, column: 35, scope: !110)
!120 = !DILocation(line: 11, column: 39, scope: !110)
!121 = !DILocation(line: 11, column: 20, scope: !110, atomGroup: 5, atomRank: 2)
!122 = !DILocation(line: 11, column: 9, scope: !110)
!123 = !DILocation(line: 11, column: 15, scope: !110)
!124 = !DILocation(line: 11, column: 13, scope: !110)
!125 = !DILocation(line: 11, column: 18, scope: !110, atomGroup: 5, atomRank: 1)
!126 = !DILocation(line: 12, column: 5, scope: !110, atomGroup: 7, atomRank: 1)
!127 = !DILocation(line: 9, column: 32, scope: !105)
!128 = !DILocation(line: 9, column: 32, scope: !105, atomGroup: 6, atomRank: 2)
!129 = !DILocation(line: 9, column: 32, scope: !105, atomGroup: 6, atomRank: 1)
!130 = distinct !{!130, !131, !132, !133}
!131 = !DILocation(line: 9, column: 5, scope: !94)
!132 = !DILocation(line: 12, column: 5, scope: !94)
!133 = !{!"llvm.loop.mustprogress"}
!134 = !DILocation(line: 13, column: 1, scope: !90, atomGroup: 8, atomRank: 1)
!135 = distinct !DISubprogram(name: "primal", scope: !2, file: !2, line: 16, type: !136, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !140, keyInstructions: true)
!136 = !DISubroutineType(types: !137)
!137 = !{!12, !138, !139}
!138 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !20)
!139 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !22)
!140 = !{!141, !142, !143, !144, !145, !146, !147, !149, !151, !155, !156}
!141 = !DILocalVariable(name: "x", arg: 1, scope: !135, file: !2, line: 16, type: !138)
!142 = !DILocalVariable(name: "work", arg: 2, scope: !135, file: !2, line: 16, type: !139)
!143 = !DILocalVariable(name: "c", scope: !135, file: !2, line: 18, type: !20)
!144 = !DILocalVariable(name: "u", scope: !135, file: !2, line: 19, type: !22)
!145 = !DILocalVariable(name: "v", scope: !135, file: !2, line: 19, type: !22)
!146 = !DILocalVariable(name: "sum", scope: !135, file: !2, line: 19, type: !12)
!147 = !DILocalVariable(name: "i", scope: !148, file: !2, line: 20, type: !33)
!148 = distinct !DILexicalBlock(scope: !135, file: !2, line: 20, column: 5)
!149 = !DILocalVariable(name: "t", scope: !150, file: !2, line: 22, type: !33)
!150 = distinct !DILexicalBlock(scope: !135, file: !2, line: 22, column: 5)
!151 = !DILocalVariable(name: "i", scope: !152, file: !2, line: 25, type: !33)
!152 = distinct !DILexicalBlock(scope: !153, file: !2, line: 25, column: 9)
!153 = distinct !DILexicalBlock(scope: !154, file: !2, line: 22, column: 37)
!154 = distinct !DILexicalBlock(scope: !150, file: !2, line: 22, column: 5)
!155 = !DILocalVariable(name: "swap", scope: !153, file: !2, line: 27, type: !22)
!156 = !DILocalVariable(name: "i", scope: !157, file: !2, line: 31, type: !33)
!157 = distinct !DILexicalBlock(scope: !135, file: !2, line: 31, column: 5)
!158 = !DILocation(line: 16, column: 45, scope: !135)
!159 = !DILocation(line: 16, column: 65, scope: !135)
!160 = !DILocation(line: 18, column: 5, scope: !135)
!161 = !DILocation(line: 18, column: 19, scope: !135)
!162 = !DILocation(line: 18, column: 23, scope: !135, atomGroup: 1, atomRank: 2)
!163 = !DILocation(line: 18, column: 19, scope: !135, atomGroup: 1, atomRank: 1)
!164 = !DILocation(line: 19, column: 5, scope: !135)
!165 = !DILocation(line: 19, column: 13, scope: !135)
!166 = !DILocation(line: 19, column: 17, scope: !135, atomGroup: 2, atomRank: 2)
!167 = !DILocation(line: 19, column: 13, scope: !135, atomGroup: 2, atomRank: 1)
!168 = !DILocation(line: 19, column: 24, scope: !135)
!169 = !DILocation(line: 19, column: 28, scope: !135)
!170 = !DILocation(line: 19, column: 33, scope: !135, atomGroup: 3, atomRank: 2)
!171 = !DILocation(line: 19, column: 24, scope: !135, atomGroup: 3, atomRank: 1)
!172 = !DILocation(line: 19, column: 38, scope: !135)
!173 = !DILocation(line: 19, column: 38, scope: !135, atomGroup: 4, atomRank: 1)
!174 = !DILocation(line: 20, column: 10, scope: !148)
!175 = !DILocation(line: 20, column: 14, scope: !148)
!176 = !DILocation(line: 20, column: 14, scope: !148, atomGroup: 5, atomRank: 1)
!177 = !DILocation(line: 20, column: 21, scope: !178)
!178 = distinct !DILexicalBlock(scope: !148, file: !2, line: 20, column: 5)
!179 = !DILocation(line: 20, column: 23, scope: !178, atomGroup: 6, atomRank: 1)
!180 = !DILocation(line: 20, column: 5, scope: !148, atomGroup: 7, atomRank: 1)
!181 = !DILocation(line: 20, column: 5, scope: !178)
!182 = !DILocation(line: 21, column: 16, scope: !178)
!183 = !DILocation(line: 21, column: 22, scope: !178)
!184 = !DILocation(line: 21, column: 20, scope: !178)
!185 = !DILocation(line: 21, column: 16, scope: !178, atomGroup: 8, atomRank: 2)
!186 = !DILocation(line: 21, column: 9, scope: !178)
!187 = !DILocation(line: 21, column: 11, scope: !178)
!188 = !DILocation(line: 21, column: 14, scope: !178, atomGroup: 8, atomRank: 1)
!189 = !DILocation(line: 21, column: 9, scope: !178, atomGroup: 10, atomRank: 1)
!190 = !DILocation(line: 20, column: 29, scope: !178)
!191 = !DILocation(line: 20, column: 29, scope: !178, atomGroup: 9, atomRank: 2)
!192 = !DILocation(line: 20, column: 29, scope: !178, atomGroup: 9, atomRank: 1)
!193 = distinct !{!193, !194, !195, !133}
!194 = !DILocation(line: 20, column: 5, scope: !148)
!195 = !DILocation(line: 21, column: 23, scope: !148)
!196 = !DILocation(line: 22, column: 10, scope: !150)
!197 = !DILocation(line: 22, column: 14, scope: !150)
!198 = !DILocation(line: 22, column: 14, scope: !150, atomGroup: 11, atomRank: 1)
!199 = !DILocation(line: 22, column: 21, scope: !154)
!200 = !DILocation(line: 22, column: 23, scope: !154, atomGroup: 12, atomRank: 1)
!201 = !DILocation(line: 22, column: 5, scope: !150, atomGroup: 13, atomRank: 1)
!202 = !DILocation(line: 22, column: 5, scope: !154)
!203 = !DILocation(line: 23, column: 16, scope: !153)
!204 = !DILocation(line: 23, column: 16, scope: !153, atomGroup: 14, atomRank: 2)
!205 = !DILocation(line: 23, column: 9, scope: !153)
!206 = !DILocation(line: 23, column: 14, scope: !153, atomGroup: 14, atomRank: 1)
!207 = !DILocation(line: 24, column: 20, scope: !153)
!208 = !DILocation(line: 24, column: 20, scope: !153, atomGroup: 15, atomRank: 2)
!209 = !DILocation(line: 24, column: 9, scope: !153)
!210 = !DILocation(line: 24, column: 18, scope: !153, atomGroup: 15, atomRank: 1)
!211 = !DILocation(line: 25, column: 14, scope: !152)
!212 = !DILocation(line: 25, column: 18, scope: !152)
!213 = !DILocation(line: 25, column: 18, scope: !152, atomGroup: 16, atomRank: 1)
!214 = !DILocation(line: 25, column: 25, scope: !215)
!215 = distinct !DILexicalBlock(scope: !152, file: !2, line: 25, column: 9)
!216 = !DILocation(line: 25, column: 27, scope: !215, atomGroup: 17, atomRank: 1)
!217 = !DILocation(line: 25, column: 9, scope: !152, atomGroup: 18, atomRank: 1)
!218 = !DILocation(line: 25, column: 9, scope: !215)
!219 = !DILocation(line: 26, column: 20, scope: !215)
!220 = !DILocation(line: 26, column: 22, scope: !215)
!221 = !DILocation(line: 26, column: 27, scope: !215)
!222 = !DILocation(line: 26, column: 29, scope: !215)
!223 = !DILocation(line: 26, column: 35, scope: !215)
!224 = !DILocation(line: 26, column: 37, scope: !215)
!225 = !DILocation(line: 26, column: 39, scope: !215)
!226 = !DILocation(line: 26, column: 50, scope: !215)
!227 = !DILocation(line: 26, column: 52, scope: !215)
!228 = !DILocation(line: 26, column: 44, scope: !215)
!229 = !DILocation(line: 26, column: 57, scope: !215)
!230 = !DILocation(line: 26, column: 59, scope: !215)
!231 = !DILocation(line: 26, column: 61, scope: !215)
!232 = !DILocation(line: 26, column: 55, scope: !215)
!233 = !DILocation(line: 26, column: 25, scope: !215, atomGroup: 19, atomRank: 2)
!234 = !DILocation(line: 26, column: 13, scope: !215)
!235 = !DILocation(line: 26, column: 15, scope: !215)
!236 = !DILocation(line: 26, column: 18, scope: !215, atomGroup: 19, atomRank: 1)
!237 = !DILocation(line: 26, column: 13, scope: !215, atomGroup: 21, atomRank: 1)
!238 = !DILocation(line: 25, column: 37, scope: !215)
!239 = !DILocation(line: 25, column: 37, scope: !215, atomGroup: 20, atomRank: 2)
!240 = !DILocation(line: 25, column: 37, scope: !215, atomGroup: 20, atomRank: 1)
!241 = distinct !{!241, !242, !243, !133}
!242 = !DILocation(line: 25, column: 9, scope: !152)
!243 = !DILocation(line: 26, column: 65, scope: !152)
!244 = !DILocation(line: 27, column: 9, scope: !153)
!245 = !DILocation(line: 27, column: 17, scope: !153)
!246 = !DILocation(line: 27, column: 24, scope: !153, atomGroup: 22, atomRank: 2)
!247 = !DILocation(line: 27, column: 17, scope: !153, atomGroup: 22, atomRank: 1)
!248 = !DILocation(line: 28, column: 13, scope: !153, atomGroup: 23, atomRank: 2)
!249 = !DILocation(line: 28, column: 11, scope: !153, atomGroup: 23, atomRank: 1)
!250 = !DILocation(line: 29, column: 13, scope: !153, atomGroup: 24, atomRank: 2)
!251 = !DILocation(line: 29, column: 11, scope: !153, atomGroup: 24, atomRank: 1)
!252 = !DILocation(line: 30, column: 5, scope: !154)
!253 = !DILocation(line: 30, column: 5, scope: !153, atomGroup: 26, atomRank: 1)
!254 = !DILocation(line: 22, column: 33, scope: !154)
!255 = !DILocation(line: 22, column: 33, scope: !154, atomGroup: 25, atomRank: 2)
!256 = !DILocation(line: 22, column: 33, scope: !154, atomGroup: 25, atomRank: 1)
!257 = distinct !{!257, !258, !259, !133}
!258 = !DILocation(line: 22, column: 5, scope: !150)
!259 = !DILocation(line: 30, column: 5, scope: !150)
!260 = !DILocation(line: 31, column: 10, scope: !157)
!261 = !DILocation(line: 31, column: 14, scope: !157)
!262 = !DILocation(line: 31, column: 14, scope: !157, atomGroup: 27, atomRank: 1)
!263 = !DILocation(line: 31, column: 21, scope: !264)
!264 = distinct !DILexicalBlock(scope: !157, file: !2, line: 31, column: 5)
!265 = !DILocation(line: 31, column: 23, scope: !264, atomGroup: 28, atomRank: 1)
!266 = !DILocation(line: 31, column: 5, scope: !157, atomGroup: 29, atomRank: 1)
!267 = !DILocation(line: 31, column: 5, scope: !264)
!268 = !DILocation(line: 32, column: 22, scope: !264)
!269 = !DILocation(line: 32, column: 24, scope: !264)
!270 = !DILocation(line: 32, column: 20, scope: !264)
!271 = !DILocation(line: 32, column: 29, scope: !264)
!272 = !DILocation(line: 32, column: 31, scope: !264)
!273 = !DILocation(line: 32, column: 13, scope: !264)
!274 = !DILocation(line: 32, column: 13, scope: !264, atomGroup: 30, atomRank: 2)
!275 = !DILocation(line: 32, column: 13, scope: !264, atomGroup: 30, atomRank: 1)
!276 = !DILocation(line: 32, column: 9, scope: !264, atomGroup: 32, atomRank: 1)
!277 = !DILocation(line: 31, column: 29, scope: !264)
!278 = !DILocation(line: 31, column: 29, scope: !264, atomGroup: 31, atomRank: 2)
!279 = !DILocation(line: 31, column: 29, scope: !264, atomGroup: 31, atomRank: 1)
!280 = distinct !{!280, !281, !282, !133}
!281 = !DILocation(line: 31, column: 5, scope: !157)
!282 = !DILocation(line: 32, column: 32, scope: !157)
!283 = !DILocation(line: 33, column: 12, scope: !135, atomGroup: 34, atomRank: 2)
!284 = !DILocation(line: 34, column: 1, scope: !135)
!285 = !DILocation(line: 33, column: 5, scope: !135, atomGroup: 34, atomRank: 1)
!286 = distinct !DISubprogram(name: "ours", scope: !2, file: !2, line: 71, type: !18, scopeLine: 71, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !287, keyInstructions: true)
!287 = !{!288, !289, !290, !291}
!288 = !DILocalVariable(name: "x", arg: 1, scope: !286, file: !2, line: 71, type: !20)
!289 = !DILocalVariable(name: "dx", arg: 2, scope: !286, file: !2, line: 71, type: !22)
!290 = !DILocalVariable(name: "work", arg: 3, scope: !286, file: !2, line: 71, type: !22)
!291 = !DILocalVariable(name: "dwork", arg: 4, scope: !286, file: !2, line: 71, type: !22)
!292 = !DILocation(line: 71, column: 1, scope: !286)
!293 = !DILocation(line: 71, column: 1, scope: !286, atomGroup: 1, atomRank: 1)
!294 = !DILocation(line: 36, column: 35, scope: !17)
!295 = !DILocation(line: 36, column: 46, scope: !17)
!296 = !DILocation(line: 36, column: 58, scope: !17)
!297 = !DILocation(line: 36, column: 72, scope: !17)
!298 = !DILocation(line: 39, column: 5, scope: !17)
!299 = !DILocation(line: 39, column: 19, scope: !17)
!300 = !DILocation(line: 39, column: 23, scope: !17, atomGroup: 1, atomRank: 2)
!301 = !DILocation(line: 39, column: 19, scope: !17, atomGroup: 1, atomRank: 1)
!302 = !DILocation(line: 40, column: 5, scope: !17)
!303 = !DILocation(line: 40, column: 13, scope: !17)
!304 = !DILocation(line: 40, column: 18, scope: !17, atomGroup: 2, atomRank: 2)
!305 = !DILocation(line: 40, column: 13, scope: !17, atomGroup: 2, atomRank: 1)
!306 = !DILocation(line: 40, column: 26, scope: !17)
!307 = !DILocation(line: 40, column: 31, scope: !17)
!308 = !DILocation(line: 40, column: 37, scope: !17, atomGroup: 3, atomRank: 2)
!309 = !DILocation(line: 40, column: 26, scope: !17, atomGroup: 3, atomRank: 1)
!310 = !DILocation(line: 41, column: 11, scope: !17)
!311 = !DILocation(line: 42, column: 23, scope: !17)
!312 = !DILocation(line: 42, column: 5, scope: !17)
!313 = !DILocation(line: 42, column: 5, scope: !17, atomGroup: 4, atomRank: 1)
!314 = !DILocation(line: 43, column: 10, scope: !32)
!315 = !DILocation(line: 43, column: 14, scope: !32)
!316 = !DILocation(line: 43, column: 14, scope: !32, atomGroup: 5, atomRank: 1)
!317 = !DILocation(line: 43, column: 21, scope: !36)
!318 = !DILocation(line: 43, column: 23, scope: !36, atomGroup: 6, atomRank: 1)
!319 = !DILocation(line: 43, column: 5, scope: !32, atomGroup: 7, atomRank: 1)
!320 = !DILocation(line: 43, column: 5, scope: !36)
!321 = !DILocation(line: 44, column: 9, scope: !35)
!322 = !DILocation(line: 44, column: 23, scope: !35)
!323 = !DILocation(line: 44, column: 34, scope: !35)
!324 = !DILocation(line: 44, column: 27, scope: !35)
!325 = !DILocation(line: 44, column: 27, scope: !35, atomGroup: 8, atomRank: 2)
!326 = !DILocation(line: 44, column: 23, scope: !35, atomGroup: 8, atomRank: 1)
!327 = !DILocation(line: 45, column: 9, scope: !35)
!328 = !DILocation(line: 45, column: 17, scope: !35)
!329 = !DILocation(line: 45, column: 28, scope: !35)
!330 = !DILocation(line: 45, column: 30, scope: !35)
!331 = !DILocation(line: 45, column: 21, scope: !35)
!332 = !DILocation(line: 45, column: 21, scope: !35, atomGroup: 9, atomRank: 2)
!333 = !DILocation(line: 45, column: 17, scope: !35, atomGroup: 9, atomRank: 1)
!334 = !DILocation(line: 46, column: 16, scope: !35)
!335 = !DILocation(line: 46, column: 16, scope: !35, atomGroup: 10, atomRank: 2)
!336 = !DILocation(line: 46, column: 9, scope: !35)
!337 = !DILocation(line: 46, column: 14, scope: !35, atomGroup: 10, atomRank: 1)
!338 = !DILocation(line: 47, column: 20, scope: !35)
!339 = !DILocation(line: 47, column: 20, scope: !35, atomGroup: 11, atomRank: 2)
!340 = !DILocation(line: 47, column: 9, scope: !35)
!341 = !DILocation(line: 47, column: 18, scope: !35, atomGroup: 11, atomRank: 1)
!342 = !DILocation(line: 48, column: 14, scope: !39)
!343 = !DILocation(line: 48, column: 18, scope: !39)
!344 = !DILocation(line: 48, column: 18, scope: !39, atomGroup: 12, atomRank: 1)
!345 = !DILocation(line: 48, column: 25, scope: !346)
!346 = distinct !DILexicalBlock(scope: !39, file: !2, line: 48, column: 9)
!347 = !DILocation(line: 48, column: 27, scope: !346, atomGroup: 13, atomRank: 1)
!348 = !DILocation(line: 48, column: 9, scope: !39, atomGroup: 14, atomRank: 1)
!349 = !DILocation(line: 48, column: 9, scope: !346)
!350 = !DILocation(line: 49, column: 20, scope: !346)
!351 = !DILocation(line: 49, column: 22, scope: !346)
!352 = !DILocation(line: 49, column: 27, scope: !346)
!353 = !DILocation(line: 49, column: 29, scope: !346)
!354 = !DILocation(line: 49, column: 35, scope: !346)
!355 = !DILocation(line: 49, column: 37, scope: !346)
!356 = !DILocation(line: 49, column: 39, scope: !346)
!357 = !DILocation(line: 49, column: 50, scope: !346)
!358 = !DILocation(line: 49, column: 52, scope: !346)
!359 = !DILocation(line: 49, column: 44, scope: !346)
!360 = !DILocation(line: 49, column: 57, scope: !346)
!361 = !DILocation(line: 49, column: 59, scope: !346)
!362 = !DILocation(line: 49, column: 61, scope: !346)
!363 = !DILocation(line: 49, column: 55, scope: !346)
!364 = !DILocation(line: 49, column: 25, scope: !346, atomGroup: 15, atomRank: 2)
!365 = !DILocation(line: 49, column: 13, scope: !346)
!366 = !DILocation(line: 49, column: 15, scope: !346)
!367 = !DILocation(line: 49, column: 18, scope: !346, atomGroup: 15, atomRank: 1)
!368 = !DILocation(line: 49, column: 13, scope: !346, atomGroup: 17, atomRank: 1)
!369 = !DILocation(line: 48, column: 37, scope: !346)
!370 = !DILocation(line: 48, column: 37, scope: !346, atomGroup: 16, atomRank: 2)
!371 = !DILocation(line: 48, column: 37, scope: !346, atomGroup: 16, atomRank: 1)
!372 = distinct !{!372, !373, !374, !133}
!373 = !DILocation(line: 48, column: 9, scope: !39)
!374 = !DILocation(line: 49, column: 65, scope: !39)
!375 = !DILocation(line: 50, column: 5, scope: !36)
!376 = !DILocation(line: 50, column: 5, scope: !35, atomGroup: 19, atomRank: 1)
!377 = !DILocation(line: 43, column: 33, scope: !36)
!378 = !DILocation(line: 43, column: 33, scope: !36, atomGroup: 18, atomRank: 2)
!379 = !DILocation(line: 43, column: 33, scope: !36, atomGroup: 18, atomRank: 1)
!380 = distinct !{!380, !381, !382, !133}
!381 = !DILocation(line: 43, column: 5, scope: !32)
!382 = !DILocation(line: 50, column: 5, scope: !32)
!383 = !DILocation(line: 51, column: 12, scope: !17)
!384 = !DILocation(line: 51, column: 5, scope: !17, atomGroup: 20, atomRank: 1)
!385 = !DILocation(line: 52, column: 10, scope: !41)
!386 = !DILocation(line: 52, column: 14, scope: !41)
!387 = !DILocation(line: 52, column: 14, scope: !41, atomGroup: 21, atomRank: 1)
!388 = !DILocation(line: 52, column: 29, scope: !44)
!389 = !DILocation(line: 52, column: 31, scope: !44, atomGroup: 22, atomRank: 1)
!390 = !DILocation(line: 52, column: 5, scope: !41, atomGroup: 23, atomRank: 1)
!391 = !DILocation(line: 52, column: 5, scope: !44)
!392 = !DILocation(line: 53, column: 9, scope: !43)
!393 = !DILocation(line: 53, column: 23, scope: !43)
!394 = !DILocation(line: 53, column: 34, scope: !43)
!395 = !DILocation(line: 53, column: 27, scope: !43)
!396 = !DILocation(line: 53, column: 27, scope: !43, atomGroup: 24, atomRank: 2)
!397 = !DILocation(line: 53, column: 23, scope: !43, atomGroup: 24, atomRank: 1)
!398 = !DILocation(line: 54, column: 14, scope: !46)
!399 = !DILocation(line: 54, column: 18, scope: !46)
!400 = !DILocation(line: 54, column: 18, scope: !46, atomGroup: 25, atomRank: 1)
!401 = !DILocation(line: 54, column: 25, scope: !402)
!402 = distinct !DILexicalBlock(scope: !46, file: !2, line: 54, column: 9)
!403 = !DILocation(line: 54, column: 27, scope: !402, atomGroup: 26, atomRank: 1)
!404 = !DILocation(line: 54, column: 9, scope: !46, atomGroup: 27, atomRank: 1)
!405 = !DILocation(line: 54, column: 9, scope: !402)
!406 = !DILocation(line: 55, column: 23, scope: !402)
!407 = !DILocation(line: 55, column: 25, scope: !402)
!408 = !DILocation(line: 55, column: 27, scope: !402)
!409 = !DILocation(line: 55, column: 38, scope: !402)
!410 = !DILocation(line: 55, column: 40, scope: !402)
!411 = !DILocation(line: 55, column: 32, scope: !402)
!412 = !DILocation(line: 55, column: 45, scope: !402)
!413 = !DILocation(line: 55, column: 47, scope: !402)
!414 = !DILocation(line: 55, column: 49, scope: !402)
!415 = !DILocation(line: 55, column: 43, scope: !402)
!416 = !DILocation(line: 55, column: 57, scope: !402)
!417 = !DILocation(line: 55, column: 60, scope: !402)
!418 = !DILocation(line: 55, column: 13, scope: !402)
!419 = !DILocation(line: 55, column: 16, scope: !402)
!420 = !DILocation(line: 55, column: 19, scope: !402)
!421 = !DILocation(line: 55, column: 19, scope: !402, atomGroup: 28, atomRank: 2)
!422 = !DILocation(line: 55, column: 19, scope: !402, atomGroup: 28, atomRank: 1)
!423 = !DILocation(line: 55, column: 13, scope: !402, atomGroup: 30, atomRank: 1)
!424 = !DILocation(line: 54, column: 37, scope: !402)
!425 = !DILocation(line: 54, column: 37, scope: !402, atomGroup: 29, atomRank: 2)
!426 = !DILocation(line: 54, column: 37, scope: !402, atomGroup: 29, atomRank: 1)
!427 = distinct !{!427, !428, !429, !133}
!428 = !DILocation(line: 54, column: 9, scope: !46)
!429 = !DILocation(line: 55, column: 61, scope: !46)
!430 = !DILocation(line: 56, column: 17, scope: !43)
!431 = !DILocation(line: 56, column: 25, scope: !43)
!432 = !DILocation(line: 56, column: 32, scope: !43)
!433 = !DILocation(line: 56, column: 23, scope: !43, atomGroup: 31, atomRank: 2)
!434 = !DILocation(line: 56, column: 9, scope: !43)
!435 = !DILocation(line: 56, column: 15, scope: !43, atomGroup: 31, atomRank: 1)
!436 = !DILocation(line: 57, column: 26, scope: !43)
!437 = !DILocation(line: 57, column: 20, scope: !43)
!438 = !DILocation(line: 57, column: 34, scope: !43)
!439 = !DILocation(line: 57, column: 42, scope: !43)
!440 = !DILocation(line: 57, column: 49, scope: !43)
!441 = !DILocation(line: 57, column: 47, scope: !43)
!442 = !DILocation(line: 57, column: 40, scope: !43, atomGroup: 32, atomRank: 2)
!443 = !DILocation(line: 57, column: 9, scope: !43)
!444 = !DILocation(line: 57, column: 15, scope: !43, atomGroup: 32, atomRank: 1)
!445 = !DILocation(line: 58, column: 14, scope: !48)
!446 = !DILocation(line: 58, column: 18, scope: !48)
!447 = !DILocation(line: 58, column: 18, scope: !48, atomGroup: 33, atomRank: 1)
!448 = !DILocation(line: 58, column: 25, scope: !449)
!449 = distinct !DILexicalBlock(scope: !48, file: !2, line: 58, column: 9)
!450 = !DILocation(line: 58, column: 27, scope: !449, atomGroup: 34, atomRank: 1)
!451 = !DILocation(line: 58, column: 9, scope: !48, atomGroup: 35, atomRank: 1)
!452 = !DILocation(line: 58, column: 9, scope: !449)
!453 = !DILocation(line: 59, column: 30, scope: !449)
!454 = !DILocation(line: 59, column: 32, scope: !449)
!455 = !DILocation(line: 59, column: 24, scope: !449)
!456 = !DILocation(line: 59, column: 38, scope: !449)
!457 = !DILocation(line: 59, column: 41, scope: !449)
!458 = !DILocation(line: 59, column: 46, scope: !449)
!459 = !DILocation(line: 59, column: 48, scope: !449)
!460 = !DILocation(line: 59, column: 50, scope: !449)
!461 = !DILocation(line: 59, column: 57, scope: !449)
!462 = !DILocation(line: 59, column: 60, scope: !449)
!463 = !DILocation(line: 59, column: 62, scope: !449)
!464 = !DILocation(line: 59, column: 55, scope: !449)
!465 = !DILocation(line: 59, column: 44, scope: !449)
!466 = !DILocation(line: 59, column: 69, scope: !449)
!467 = !DILocation(line: 59, column: 71, scope: !449)
!468 = !DILocation(line: 59, column: 73, scope: !449)
!469 = !DILocation(line: 59, column: 80, scope: !449)
!470 = !DILocation(line: 59, column: 83, scope: !449)
!471 = !DILocation(line: 59, column: 85, scope: !449)
!472 = !DILocation(line: 59, column: 67, scope: !449, atomGroup: 36, atomRank: 2)
!473 = !DILocation(line: 59, column: 13, scope: !449)
!474 = !DILocation(line: 59, column: 16, scope: !449)
!475 = !DILocation(line: 59, column: 19, scope: !449, atomGroup: 36, atomRank: 1)
!476 = !DILocation(line: 59, column: 13, scope: !449, atomGroup: 38, atomRank: 1)
!477 = !DILocation(line: 58, column: 37, scope: !449)
!478 = !DILocation(line: 58, column: 37, scope: !449, atomGroup: 37, atomRank: 2)
!479 = !DILocation(line: 58, column: 37, scope: !449, atomGroup: 37, atomRank: 1)
!480 = distinct !{!480, !481, !482, !133}
!481 = !DILocation(line: 58, column: 9, scope: !48)
!482 = !DILocation(line: 59, column: 88, scope: !48)
!483 = !DILocation(line: 60, column: 30, scope: !43)
!484 = !DILocation(line: 60, column: 24, scope: !43)
!485 = !DILocation(line: 60, column: 42, scope: !43)
!486 = !DILocation(line: 60, column: 54, scope: !43)
!487 = !DILocation(line: 60, column: 65, scope: !43)
!488 = !DILocation(line: 60, column: 63, scope: !43)
!489 = !DILocation(line: 60, column: 52, scope: !43, atomGroup: 39, atomRank: 2)
!490 = !DILocation(line: 60, column: 9, scope: !43)
!491 = !DILocation(line: 60, column: 19, scope: !43, atomGroup: 39, atomRank: 1)
!492 = !DILocation(line: 61, column: 21, scope: !43)
!493 = !DILocation(line: 61, column: 33, scope: !43)
!494 = !DILocation(line: 61, column: 44, scope: !43)
!495 = !DILocation(line: 61, column: 31, scope: !43, atomGroup: 40, atomRank: 2)
!496 = !DILocation(line: 61, column: 9, scope: !43)
!497 = !DILocation(line: 61, column: 19, scope: !43, atomGroup: 40, atomRank: 1)
!498 = !DILocation(line: 62, column: 9, scope: !43)
!499 = !DILocation(line: 62, column: 17, scope: !43)
!500 = !DILocation(line: 62, column: 24, scope: !43, atomGroup: 41, atomRank: 2)
!501 = !DILocation(line: 62, column: 17, scope: !43, atomGroup: 41, atomRank: 1)
!502 = !DILocation(line: 63, column: 14, scope: !43, atomGroup: 42, atomRank: 2)
!503 = !DILocation(line: 63, column: 12, scope: !43, atomGroup: 42, atomRank: 1)
!504 = !DILocation(line: 64, column: 14, scope: !43, atomGroup: 43, atomRank: 2)
!505 = !DILocation(line: 64, column: 12, scope: !43, atomGroup: 43, atomRank: 1)
!506 = !DILocation(line: 65, column: 5, scope: !44)
!507 = !DILocation(line: 65, column: 5, scope: !43, atomGroup: 45, atomRank: 1)
!508 = !DILocation(line: 52, column: 38, scope: !44)
!509 = !DILocation(line: 52, column: 38, scope: !44, atomGroup: 44, atomRank: 2)
!510 = !DILocation(line: 52, column: 38, scope: !44, atomGroup: 44, atomRank: 1)
!511 = distinct !{!511, !512, !513, !133}
!512 = !DILocation(line: 52, column: 5, scope: !41)
!513 = !DILocation(line: 65, column: 5, scope: !41)
!514 = !DILocation(line: 66, column: 10, scope: !51)
!515 = !DILocation(line: 66, column: 14, scope: !51)
!516 = !DILocation(line: 66, column: 14, scope: !51, atomGroup: 46, atomRank: 1)
!517 = !DILocation(line: 66, column: 21, scope: !518)
!518 = distinct !DILexicalBlock(scope: !51, file: !2, line: 66, column: 5)
!519 = !DILocation(line: 66, column: 23, scope: !518, atomGroup: 47, atomRank: 1)
!520 = !DILocation(line: 66, column: 5, scope: !51, atomGroup: 48, atomRank: 1)
!521 = !DILocation(line: 66, column: 5, scope: !518)
!522 = !DILocation(line: 67, column: 22, scope: !518)
!523 = !DILocation(line: 67, column: 25, scope: !518)
!524 = !DILocation(line: 67, column: 9, scope: !518)
!525 = !DILocation(line: 67, column: 16, scope: !518)
!526 = !DILocation(line: 67, column: 14, scope: !518)
!527 = !DILocation(line: 67, column: 19, scope: !518)
!528 = !DILocation(line: 67, column: 19, scope: !518, atomGroup: 49, atomRank: 2)
!529 = !DILocation(line: 67, column: 19, scope: !518, atomGroup: 49, atomRank: 1)
!530 = !DILocation(line: 67, column: 9, scope: !518, atomGroup: 51, atomRank: 1)
!531 = !DILocation(line: 66, column: 29, scope: !518)
!532 = !DILocation(line: 66, column: 29, scope: !518, atomGroup: 50, atomRank: 2)
!533 = !DILocation(line: 66, column: 29, scope: !518, atomGroup: 50, atomRank: 1)
!534 = distinct !{!534, !535, !536, !133}
!535 = !DILocation(line: 66, column: 5, scope: !51)
!536 = !DILocation(line: 67, column: 26, scope: !51)
!537 = !DILocation(line: 68, column: 12, scope: !17)
!538 = !DILocation(line: 68, column: 5, scope: !17, atomGroup: 52, atomRank: 1)
!539 = !DILocation(line: 69, column: 1, scope: !17)
!540 = !DILocation(line: 69, column: 1, scope: !17, atomGroup: 53, atomRank: 1)
!541 = distinct !DISubprogram(name: "bench_number", scope: !58, file: !58, line: 43, type: !542, scopeLine: 44, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !9, retainedNodes: !544, keyInstructions: true)
!542 = !DISubroutineType(types: !543)
!543 = !{!12, !64}
!544 = !{!545}
!545 = !DILocalVariable(name: "i", arg: 1, scope: !541, file: !58, line: 43, type: !64)
!546 = !DILocation(line: 43, column: 42, scope: !541)
!547 = !DILocation(line: 45, column: 34, scope: !541)
!548 = !DILocation(line: 45, column: 26, scope: !541)
!549 = !DILocation(line: 45, column: 56, scope: !541)
!550 = !DILocation(line: 45, column: 58, scope: !541)
!551 = !DILocation(line: 45, column: 47, scope: !541)
!552 = !DILocation(line: 45, column: 45, scope: !541)
!553 = !DILocation(line: 45, column: 36, scope: !541)
!554 = !DILocation(line: 45, column: 12, scope: !541, atomGroup: 1, atomRank: 2)
!555 = !DILocation(line: 45, column: 5, scope: !541, atomGroup: 1, atomRank: 1)
!556 = !DISubprogram(name: "sin", scope: !557, file: !557, line: 64, type: !558, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!557 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/mathcalls.h", directory: "", checksumkind: CSK_MD5, checksum: "8c6e2d0d2bda65bc5ba1ca02b65383b7")
!558 = !DISubroutineType(types: !559)
!559 = !{!12, !12}
!560 = !DISubprogram(name: "__backsweep_gradient_void", scope: !561, file: !561, line: 88, type: !562, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!561 = !DIFile(filename: "/work/h1/include/backsweep.h", directory: "", checksumkind: CSK_MD5, checksum: "b3dd17683dd9d0b55abf2a844336ee9b")
!562 = !DISubroutineType(types: !563)
!563 = !{null, !13, null}
