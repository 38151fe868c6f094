"""The TensorFlow operations that a SavedModel may have: those that only compute.

It is a list of what is allowed, not of what is forbidden: operations of later versions
of TensorFlow are refused until they have been reviewed. Missing on purpose, although
their names sound harmless: ImmutableConst (maps a file into memory), Decode* and
Encode* (parsers of images), Abort, Print, StringFormat, Timestamp, XlaCustomCall,
RemoteCall, SymbolicGradient, and everything about files, tables, queues, data sets,
sessions and summaries. Strings are missing, and so are kernels that no encoder of
images needs and that have often been faulty: quantised convolutions, CTC, boosted
trees, candidate samplers.
"""

_ELEMENTS = """
Abs AccumulateNV2 Acos Acosh Add AddN AddV2 Angle ApproximateEqual Asin Asinh Atan Atan2
Atanh BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e
BesselK1 BesselK1e BesselY0 BesselY1 Betainc BitwiseAnd BitwiseOr BitwiseXor Bucketize
Cast Ceil ClipByValue Complex ComplexAbs Conj Cos Cosh Cross Cumprod Cumsum
CumulativeLogsumexp Dawsn Digamma Div DivNoNan Equal Erf Erfc Erfinv Exp Expint Expm1
Floor FloorDiv FloorMod FresnelCos FresnelSin Greater GreaterEqual Igamma IgammaGradA
Igammac Imag Inv InvGrad Invert IsFinite IsInf IsNan LeftShift Less LessEqual Lgamma
LinSpace Log Log1p LogicalAnd LogicalNot LogicalOr Maximum Minimum Mod Mul MulNoNan
Ndtri Neg NextAfter NotEqual Polygamma PopulationCount Pow Range Real RealDiv Reciprocal
ReciprocalGrad RightShift Rint Round Rsqrt RsqrtGrad Select SelectV2 Sigmoid SigmoidGrad
Sign Sin Sinh Spence Sqrt SqrtGrad Square SquaredDifference Sub Tan Tanh TanhGrad
TruncateDiv TruncateMod Xdivy Xlog1py Xlogy Zeta
"""

_REDUCTIONS = """
All Any ArgMax ArgMin Bincount DenseBincount EuclideanNorm HistogramFixedWidth Max Mean
Min Prod RaggedBincount SegmentMax SegmentMaxV2 SegmentMean SegmentMin SegmentMinV2
SegmentProd SegmentProdV2 SegmentSum SegmentSumV2 SparseBincount Sum UnsortedSegmentMax
UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum
"""

_ARRAYS = """
BatchToSpace BatchToSpaceND Bitcast BroadcastArgs BroadcastGradientArgs BroadcastTo
CheckNumerics CheckNumericsV2 Concat ConcatOffset ConcatV2 ConjugateTranspose Const
DeepCopy DepthToSpace Diag DiagPart DynamicPartition DynamicStitch Empty EnsureShape
ExpandDims ExtractImagePatches Fill Gather GatherNd GatherV2 GuaranteeConst Identity
IdentityN InvertPermutation ListDiff LowerBound MatrixBandPart MatrixDiag MatrixDiagPart
MatrixDiagPartV2 MatrixDiagPartV3 MatrixDiagV2 MatrixDiagV3 MatrixSetDiag
MatrixSetDiagV2 MatrixSetDiagV3 MirrorPad MirrorPadGrad OneHot OnesLike Pack Pad PadV2
ParallelConcat ParallelDynamicStitch Placeholder PlaceholderV2 PlaceholderWithDefault
PreventGradient Rank RefSelect Reshape Reverse ReverseSequence ReverseV2 Roll ScatterNd
Shape ShapeN Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth Split SplitV
Squeeze StopGradient StridedSlice StridedSliceGrad TensorScatterAdd TensorScatterMax
TensorScatterMin TensorScatterSub TensorScatterUpdate TensorStridedSliceUpdate Tile
TileGrad Transpose Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2 Unpack
UnravelIndex UpperBound Where ZerosLike
"""

_NETWORKS = """
ApproxTopK AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BatchMatMul BatchMatMulV2
BatchMatMulV3 BatchNormWithGlobalNormalization BatchNormWithGlobalNormalizationGrad
BiasAdd BiasAddGrad BiasAddV1 BlockLSTM BlockLSTMGrad BlockLSTMGradV2 BlockLSTMV2 Conv
Conv2D Conv2DBackpropFilter Conv2DBackpropFilterV2 Conv2DBackpropInput
Conv2DBackpropInputV2 Conv3D Conv3DBackpropFilter Conv3DBackpropFilterV2
Conv3DBackpropInput Conv3DBackpropInputV2 CudnnRNN CudnnRNNBackprop CudnnRNNBackpropV2
CudnnRNNBackpropV3 CudnnRNNCanonicalToParams CudnnRNNCanonicalToParamsV2
CudnnRNNParamsSize CudnnRNNParamsToCanonical CudnnRNNParamsToCanonicalV2 CudnnRNNV2
CudnnRNNV3 DataFormatDimMap DataFormatVecPermute DepthwiseConv2dNative
DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput Dequantize
Dilation2D Dilation2DBackpropFilter Dilation2DBackpropInput Einsum Elu EluGrad
FakeQuantWithMinMaxArgs FakeQuantWithMinMaxArgsGradient FakeQuantWithMinMaxVars
FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannel
FakeQuantWithMinMaxVarsPerChannelGradient FractionalAvgPool FractionalAvgPoolGrad
FractionalMaxPool FractionalMaxPoolGrad FusedBatchNorm FusedBatchNormGrad
FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3
FusedPadConv2D FusedResizeAndPadConv2D GRUBlockCell GRUBlockCellGrad InTopK InTopKV2
L2Loss LRN LRNGrad LSTMBlockCell LSTMBlockCellGrad LeakyRelu LeakyReluGrad LogSoftmax
MatMul MaxPool MaxPool3D MaxPool3DGrad MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad
MaxPoolGradGradV2 MaxPoolGradGradWithArgmax MaxPoolGradV2 MaxPoolGradWithArgmax
MaxPoolV2 MaxPoolWithArgmax NthElement QuantizeAndDequantize QuantizeAndDequantizeV2
QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 QuantizeAndDequantizeV4Grad QuantizeV2
Relu Relu6 Relu6Grad ReluGrad Selu SeluGrad Softmax SoftmaxCrossEntropyWithLogits
Softplus SoftplusGrad Softsign SoftsignGrad SparseSoftmaxCrossEntropyWithLogits TopK
TopKV2 _FusedBatchNormEx _FusedConv2D _FusedMatMul
"""

_IMAGES_AND_SPECTRA = """
AdjustContrast AdjustContrastv2 AdjustHue AdjustSaturation BatchFFT BatchFFT2D
BatchFFT3D BatchIFFT BatchIFFT2D BatchIFFT3D CombinedNonMaxSuppression CropAndResize
CropAndResizeGradBoxes CropAndResizeGradImage DrawBoundingBoxes DrawBoundingBoxesV2
ExtractGlimpse ExtractGlimpseV2 ExtractVolumePatches FFT FFT2D FFT3D FFTND
GenerateBoundingBoxProposals HSVToRGB IFFT IFFT2D IFFT3D IFFTND IRFFT IRFFT2D IRFFT3D
IRFFTND ImageProjectiveTransformV2 ImageProjectiveTransformV3 NonMaxSuppression
NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionV4 NonMaxSuppressionV5
NonMaxSuppressionWithOverlaps RFFT RFFT2D RFFT3D RFFTND RGBToHSV RandomCrop ResizeArea
ResizeBicubic ResizeBicubicGrad ResizeBilinear ResizeBilinearGrad ResizeNearestNeighbor
ResizeNearestNeighborGrad SampleDistortedBoundingBox SampleDistortedBoundingBoxV2
ScaleAndTranslate ScaleAndTranslateGrad StatelessSampleDistortedBoundingBox
"""

_LINEAR_ALGEBRA = """
BandedTriangularSolve BatchCholesky BatchCholeskyGrad BatchMatrixBandPart
BatchMatrixDeterminant BatchMatrixDiag BatchMatrixDiagPart BatchMatrixInverse
BatchMatrixSetDiag BatchMatrixSolve BatchMatrixSolveLs BatchMatrixTriangularSolve
BatchSelfAdjointEig BatchSelfAdjointEigV2 BatchSvd Cholesky CholeskyGrad Eig
IsotonicRegression LogMatrixDeterminant Lu MatrixDeterminant MatrixExponential
MatrixInverse MatrixLogarithm MatrixSolve MatrixSolveLs MatrixSquareRoot
MatrixTriangularSolve Qr SelfAdjointEig SelfAdjointEigV2 Svd TridiagonalMatMul
TridiagonalSolve
"""

_RANDOM_NUMBERS = """
Multinomial NonDeterministicInts ParameterizedTruncatedNormal RandomGamma
RandomGammaGrad RandomIndexShuffle RandomPoisson RandomPoissonV2 RandomShuffle
RandomStandardNormal RandomUniform RandomUniformInt RngReadAndSkip RngSkip SobolSample
StatefulRandomBinomial StatefulStandardNormal StatefulStandardNormalV2
StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt StatefulUniformInt
StatelessMultinomial StatelessParameterizedTruncatedNormal StatelessRandomBinomial
StatelessRandomGammaV2 StatelessRandomGammaV3 StatelessRandomGetAlg
StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg StatelessRandomNormal
StatelessRandomNormalV2 StatelessRandomPoisson StatelessRandomUniform
StatelessRandomUniformFullInt StatelessRandomUniformFullIntV2 StatelessRandomUniformInt
StatelessRandomUniformIntV2 StatelessRandomUniformV2 StatelessShuffle
StatelessTruncatedNormal StatelessTruncatedNormalV2 StochasticCastToInt TruncatedNormal
"""

_CONTROL = """
Assert Case ControlTrigger DeviceIndex Enter Exit FakeParam For If LoopCond Merge
NextIteration NoOp OptionalFromValue OptionalGetValue OptionalHasValue OptionalNone
PartitionedCall RefEnter RefExit RefIdentity RefMerge RefNextIteration RefSwitch
StatefulPartitionedCall StatelessCase StatelessIf StatelessWhile Switch ToBool While
_Arg _Retval _SwitchN
"""

_LISTS = """
EmptyTensorList Stack StackClose StackCloseV2 StackPop StackPopV2 StackPush StackPushV2
StackV2 TensorArray TensorArrayClose TensorArrayCloseV2 TensorArrayCloseV3
TensorArrayConcat TensorArrayConcatV2 TensorArrayConcatV3 TensorArrayGather
TensorArrayGatherV2 TensorArrayGatherV3 TensorArrayGrad TensorArrayGradV2
TensorArrayGradV3 TensorArrayGradWithShape TensorArrayPack TensorArrayRead
TensorArrayReadV2 TensorArrayReadV3 TensorArrayScatter TensorArrayScatterV2
TensorArrayScatterV3 TensorArraySize TensorArraySizeV2 TensorArraySizeV3
TensorArraySplit TensorArraySplitV2 TensorArraySplitV3 TensorArrayUnpack TensorArrayV2
TensorArrayV3 TensorArrayWrite TensorArrayWriteV2 TensorArrayWriteV3 TensorListConcat
TensorListConcatLists TensorListConcatV2 TensorListElementShape TensorListFromTensor
TensorListGather TensorListGetItem TensorListLength TensorListPopBack TensorListPushBack
TensorListPushBackBatch TensorListReserve TensorListResize TensorListScatter
TensorListScatterIntoExistingList TensorListScatterV2 TensorListSetItem TensorListSplit
TensorListStack
"""

_VARIABLES = """
ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdagradV2 ApplyAdam
ApplyAddSign ApplyCenteredRMSProp ApplyFtrl ApplyFtrlV2 ApplyGradientDescent
ApplyMomentum ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent
ApplyRMSProp Assign AssignAdd AssignAddVariableOp AssignSub AssignSubVariableOp
AssignVariableOp CountUpTo DestroyResourceOp DestroyTemporaryVariable DisableCopyOnRead
IsVariableInitialized ReadVariableOp ResourceApplyAdaMax ResourceApplyAdadelta
ResourceApplyAdagrad ResourceApplyAdagradDA ResourceApplyAdagradV2 ResourceApplyAdam
ResourceApplyAdamWithAmsgrad ResourceApplyAddSign ResourceApplyCenteredRMSProp
ResourceApplyFtrl ResourceApplyFtrlV2 ResourceApplyGradientDescent
ResourceApplyKerasMomentum ResourceApplyMomentum ResourceApplyPowerSign
ResourceApplyProximalAdagrad ResourceApplyProximalGradientDescent ResourceApplyRMSProp
ResourceCountUpTo ResourceGather ResourceGatherNd ResourceScatterAdd ResourceScatterDiv
ResourceScatterMax ResourceScatterMin ResourceScatterMul ResourceScatterNdAdd
ResourceScatterNdMax ResourceScatterNdMin ResourceScatterNdSub ResourceScatterNdUpdate
ResourceScatterSub ResourceScatterUpdate ResourceSparseApplyAdadelta
ResourceSparseApplyAdagrad ResourceSparseApplyAdagradDA ResourceSparseApplyAdagradV2
ResourceSparseApplyCenteredRMSProp ResourceSparseApplyFtrl ResourceSparseApplyFtrlV2
ResourceSparseApplyKerasMomentum ResourceSparseApplyMomentum
ResourceSparseApplyProximalAdagrad ResourceSparseApplyProximalGradientDescent
ResourceSparseApplyRMSProp ResourceStridedSliceAssign ScatterAdd ScatterDiv ScatterMax
ScatterMin ScatterMul ScatterNdAdd ScatterNdMax ScatterNdMin ScatterNdNonAliasingAdd
ScatterNdSub ScatterNdUpdate ScatterSub ScatterUpdate SparseApplyAdadelta
SparseApplyAdagrad SparseApplyAdagradDA SparseApplyAdagradV2 SparseApplyCenteredRMSProp
SparseApplyFtrl SparseApplyFtrlV2 SparseApplyMomentum SparseApplyProximalAdagrad
SparseApplyProximalGradientDescent SparseApplyRMSProp StridedSliceAssign
TemporaryVariable VarHandleOp VarIsInitializedOp Variable VariableShape VariableV2
"""

_SPARSE_AND_RAGGED = """
CSRSparseMatrixComponents CSRSparseMatrixToDense CSRSparseMatrixToSparseTensor
DenseToCSRSparseMatrix RaggedFillEmptyRows RaggedFillEmptyRowsGrad RaggedGather
RaggedRange RaggedTensorFromVariant RaggedTensorToSparse RaggedTensorToTensor
RaggedTensorToVariant RaggedTensorToVariantGradient SparseAdd SparseAddGrad SparseConcat
SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul SparseFillEmptyRows
SparseFillEmptyRowsGrad SparseMatMul SparseMatrixAdd SparseMatrixMatMul SparseMatrixMul
SparseMatrixNNZ SparseMatrixOrderingAMD SparseMatrixSoftmax SparseMatrixSoftmaxGrad
SparseMatrixSparseCholesky SparseMatrixSparseMatMul SparseMatrixTranspose
SparseMatrixZeros SparseReduceMax SparseReduceMaxSparse SparseReduceSum
SparseReduceSumSparse SparseReorder SparseReshape SparseSegmentMean
SparseSegmentMeanGrad SparseSegmentMeanGradV2 SparseSegmentMeanWithNumSegments
SparseSegmentSqrtN SparseSegmentSqrtNGrad SparseSegmentSqrtNGradV2
SparseSegmentSqrtNWithNumSegments SparseSegmentSum SparseSegmentSumGrad
SparseSegmentSumGradV2 SparseSegmentSumWithNumSegments SparseSlice SparseSliceGrad
SparseSoftmax SparseSparseMaximum SparseSparseMinimum SparseSplit SparseTensorDenseAdd
SparseTensorDenseMatMul SparseTensorToCSRSparseMatrix SparseToDense
"""

_XLA = """
XlaBroadcastHelper XlaConv XlaConvV2 XlaDot XlaDotV2 XlaDynamicSlice
XlaDynamicUpdateSlice XlaEinsum XlaGather XlaIf XlaKeyValueSort XlaOptimizationBarrier
XlaPad XlaReduce XlaReducePrecision XlaReduceWindow XlaRemoveDynamicDimensionSize
XlaRngBitGenerator XlaScatter XlaSelectAndScatter XlaSelfAdjointEig XlaSetBound
XlaSetDynamicDimensionSize XlaSharding XlaSort XlaSvd XlaVariadicReduce
XlaVariadicReduceV2 XlaVariadicSort XlaWhile
"""

ALLOWED = frozenset(
  " ".join(
    (
      _ELEMENTS,
      _REDUCTIONS,
      _ARRAYS,
      _NETWORKS,
      _IMAGES_AND_SPECTRA,
      _LINEAR_ALGEBRA,
      _RANDOM_NUMBERS,
      _CONTROL,
      _LISTS,
      _VARIABLES,
      _SPARSE_AND_RAGGED,
      _XLA,
    )
  ).split()
)

# Allowed only where the saver's own operation needs them, which TensorFlow 1 runs at
# load (restoring), or where nothing runs them (saving).
RESTORING = frozenset({"RestoreV2"})
SAVING = frozenset(
  {
    "MergeV2Checkpoints",
    "RegexFullMatch",
    "SaveV2",
    "ShardedFilename",
    "StaticRegexFullMatch",
    "StringJoin",
  }
)

# (parts of an operation's name, why it is refused, what to ask the author for); the
# first row with a part of the name counts.
_REASONS = (
  (
    ("Summary",),
    "writes summaries",
    "of the inference graph alone, without summaries (the encoder in a graph of its "
    "own, its checkpoint restored there)",
  ),
  (("Print",), "prints, which may write files", "without tf.print"),
  (("PyFunc",), "runs Python", "without tf.py_function and tf.numpy_function"),
  (
    ("Reader", "Dataset", "Iterator", "RecordInput"),
    "reads records",
    "that takes images, without its input pipeline",
  ),
  (
    ("WriteFile", "Save", "MergeV2"),
    "writes files",
    "of the encoder alone, without operations on files",
  ),
  (
    ("ReadFile", "MatchingFiles", "Restore", "ImmutableConst", "LoadAndRemap"),
    "reads files",
    "of the encoder alone, without operations on files",
  ),
  (("Debug", "Dump"), "dumps tensors to files or the network", "without debugging"),
  (
    ("Rpc", "Grpc", "Send", "Recv", "Collective", "RemoteCall", "TPU", "Tpu", "Nccl"),
    "talks to others",
    "for one CPU",
  ),
  (
    ("CustomCall", "XlaHostCompute", "TfLite", "TRTEngine"),
    "holds a program",
    "with TensorFlow's own operations",
  ),
  (("Decode", "Encode", "Parse"), "parses data", "that takes images as numbers"),
  (
    ("String", "Unicode", "Regex", "Substr"),
    "works on texts",
    "without texts: without tf.print and tf.strings",
  ),
  (
    ("Table", "Queue", "Stage", "Barrier"),
    "keeps a resource",
    "without tables and queues",
  ),
  (
    ("",),
    "is not on the list of allowed operations",
    "with TensorFlow's own operations that only compute, or for an ONNX file",
  ),
)


def reason(op: str) -> tuple[str, str]:
  """(why `op` is refused, what to ask the author of the model for), in a few words."""
  words, export = next(
    others for parts, *others in _REASONS if any(part in op for part in parts)
  )
  return words, f"ask for an export {export}"
