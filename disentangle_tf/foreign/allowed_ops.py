"""TensorFlow operations that compute on tensors and do nothing else.

A list of what is allowed, not of what is forbidden: whatever a later version of
TensorFlow adds is refused until somebody has looked at it. Missing on purpose although
harmless by name: ImmutableConst (maps a file into memory), Decode* and Encode* (parsers
of images), Abort, Print, StringFormat, Timestamp, XlaCallModule (holds a program),
RemoteCall, SymbolicGradient, and all that is about files, tables, queues, data sets,
sessions and summaries.
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
Min Prod SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum Sum UnsortedSegmentMax
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
PreventGradient Rank Reshape Reverse ReverseSequence ReverseV2 Roll ScatterNd Shape
ShapeN Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth Split SplitV Squeeze
StopGradient StridedSlice StridedSliceGrad TensorScatterAdd TensorScatterMax
TensorScatterMin TensorScatterSub TensorScatterUpdate TensorStridedSliceUpdate Tile
TileGrad Transpose Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2 Unpack
UnravelIndex UpperBound Where ZerosLike
"""

_NETWORKS = """
ApproxTopK AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BatchMatMul BatchMatMulV2
BatchMatMulV3 BatchNormWithGlobalNormalization BiasAdd BiasAddGrad BiasAddV1 Conv Conv2D
Conv2DBackpropFilter Conv2DBackpropFilterV2 Conv2DBackpropInput Conv2DBackpropInputV2
Conv3D Conv3DBackpropFilterV2 Conv3DBackpropInputV2 DataFormatDimMap
DataFormatVecPermute DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter
DepthwiseConv2dNativeBackpropInput Dequantize Dilation2D Einsum Elu EluGrad
FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel
FusedBatchNorm FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3
FusedBatchNormV2 FusedBatchNormV3 InTopK InTopKV2 L2Loss LRN LRNGrad LeakyRelu
LeakyReluGrad LogSoftmax MatMul MaxPool MaxPool3D MaxPool3DGrad MaxPoolGrad
MaxPoolGradGrad MaxPoolGradV2 MaxPoolGradWithArgmax MaxPoolV2 MaxPoolWithArgmax
NthElement QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4
QuantizeV2 Relu Relu6 Relu6Grad ReluGrad Selu SeluGrad Softmax
SoftmaxCrossEntropyWithLogits Softplus SoftplusGrad Softsign SoftsignGrad
SparseSoftmaxCrossEntropyWithLogits TopK TopKV2
_FusedBatchNormEx _FusedConv2D _FusedMatMul
"""

_IMAGES_AND_SPECTRA = """
AdjustContrastv2 AdjustHue AdjustSaturation CropAndResize ExtractGlimpse
ExtractGlimpseV2 HSVToRGB ImageProjectiveTransformV2 ImageProjectiveTransformV3
RGBToHSV RandomCrop ResizeArea ResizeBicubic ResizeBicubicGrad ResizeBilinear
ResizeBilinearGrad ResizeNearestNeighbor ResizeNearestNeighborGrad ScaleAndTranslate
ScaleAndTranslateGrad
FFT FFT2D FFT3D FFTND IFFT IFFT2D IFFT3D IFFTND IRFFT IRFFT2D IRFFT3D IRFFTND RFFT
RFFT2D RFFT3D RFFTND
"""

_LINEAR_ALGEBRA = """
BandedTriangularSolve Cholesky CholeskyGrad Eig LogMatrixDeterminant Lu
MatrixDeterminant MatrixExponential MatrixInverse MatrixLogarithm MatrixSolve
MatrixSolveLs MatrixSquareRoot MatrixTriangularSolve Qr SelfAdjointEig SelfAdjointEigV2
Svd TridiagonalMatMul TridiagonalSolve
"""

_RANDOM_NUMBERS = """
Multinomial ParameterizedTruncatedNormal RandomGamma RandomGammaGrad RandomPoisson
RandomPoissonV2 RandomShuffle RandomStandardNormal RandomUniform RandomUniformInt
RngReadAndSkip RngSkip StatefulRandomBinomial StatefulStandardNormal
StatefulStandardNormalV2 StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt
StatefulUniformInt StatelessMultinomial StatelessParameterizedTruncatedNormal
StatelessRandomBinomial StatelessRandomGammaV2 StatelessRandomGammaV3
StatelessRandomGetAlg StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg
StatelessRandomNormal StatelessRandomNormalV2 StatelessRandomPoisson
StatelessRandomUniform StatelessRandomUniformFullInt StatelessRandomUniformFullIntV2
StatelessRandomUniformInt StatelessRandomUniformIntV2 StatelessRandomUniformV2
StatelessShuffle StatelessTruncatedNormal StatelessTruncatedNormalV2 TruncatedNormal
"""

_CONTROL = """
Assert Case ControlTrigger DeviceIndex Enter Exit FakeParam For If LoopCond Merge
NextIteration NoOp PartitionedCall RefEnter RefExit RefIdentity RefMerge
RefNextIteration RefSwitch StatefulPartitionedCall StatelessCase StatelessIf
StatelessWhile Switch ToBool While _Arg _Retval _SwitchN
"""

_LISTS = """
EmptyTensorList TensorArrayCloseV3 TensorArrayConcatV3 TensorArrayGatherV3
TensorArrayGradV3 TensorArrayReadV3 TensorArrayScatterV3 TensorArraySizeV3
TensorArraySplitV3 TensorArrayV3 TensorArrayWriteV3 TensorListConcat
TensorListConcatLists TensorListConcatV2 TensorListElementShape TensorListFromTensor
TensorListGather TensorListGetItem TensorListLength TensorListPopBack TensorListPushBack
TensorListPushBackBatch TensorListReserve TensorListResize TensorListScatter
TensorListScatterIntoExistingList TensorListScatterV2 TensorListSetItem TensorListSplit
TensorListStack
"""

_VARIABLES = """
ApplyAdam ApplyGradientDescent ApplyMomentum ApplyRMSProp Assign AssignAdd
AssignAddVariableOp AssignSub AssignSubVariableOp AssignVariableOp DestroyResourceOp
DisableCopyOnRead IsVariableInitialized ReadVariableOp ResourceApplyAdaMax
ResourceApplyAdam ResourceApplyAdamWithAmsgrad ResourceApplyGradientDescent
ResourceApplyKerasMomentum ResourceApplyMomentum ResourceApplyRMSProp ResourceGather
ResourceGatherNd ResourceScatterAdd ResourceScatterUpdate VarHandleOp VarIsInitializedOp
Variable VariableShape VariableV2
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
    )
  ).split()
)

# Only on the way to the saver's own operation, which TensorFlow 1 runs at load
# (restoring), and where nothing runs (saving).
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

# Why some of the others are refused; only to say so.
REASONS = (
  (("WriteFile", "SaveV2", "Save", "SaveSlices", "MergeV2"), "writes files"),
  (("ReadFile", "MatchingFiles", "Restore", "ImmutableConst"), "reads files"),
  (("Print",), "prints, which may write files"),
  (("PyFunc", "EagerPyFunc"), "runs Python"),
  (("Reader", "Dataset", "Iterator", "RecordInput"), "reads records"),
  (("Summary",), "writes summaries"),
  (("Debug",), "dumps tensors to files or the network"),
  (
    ("Rpc", "Grpc", "Send", "Recv", "Collective", "RemoteCall", "Tpu"),
    "talks to others",
  ),
  (("XlaCallModule", "XlaHostCompute", "TfLite", "TRTEngine"), "holds a program"),
  (("Decode", "Encode", "Parse"), "parses data"),
  (("HashTable", "LookupTable", "Queue", "Stage", "Barrier"), "keeps a resource"),
)


def reason(op):
  """Why `op` is not allowed, in a few words."""
  for parts, words in REASONS:
    if any(part in op for part in parts):
      return words
  return "is not on the list of allowed operations"
