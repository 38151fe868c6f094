"""The layers and operations that a .keras file may have: those that only compute.

They are lists of what is allowed, as in `allowed_ops`. Missing on purpose: layers that
hold code or another model (Lambda, TFSMLayer, TorchModuleWrapper, JaxLayer, FlaxLayer),
that read vocabularies or work on texts (StringLookup, IntegerLookup, TextVectorization,
Hashing, HashedCrossing), and operations that call functions (Cond, Map, Scan, ...).
"""

LAYERS = frozenset(
  """
Activation ActivityRegularization AdaptiveAveragePooling1D AdaptiveAveragePooling2D
AdaptiveAveragePooling3D AdaptiveMaxPooling1D AdaptiveMaxPooling2D AdaptiveMaxPooling3D
Add AdditiveAttention AlphaDropout Attention AugMix AutoContrast Average
AveragePooling1D AveragePooling2D AveragePooling3D AvgPool1D AvgPool2D AvgPool3D
BatchNormalization Bidirectional CategoryEncoding CenterCrop Concatenate
ContrastLimitedAdaptiveHistogramEqualization Conv1D Conv1DTranspose Conv2D
Conv2DTranspose Conv3D Conv3DTranspose ConvLSTM1D ConvLSTM2D ConvLSTM3D Convolution1D
Convolution1DTranspose Convolution2D Convolution2DTranspose Convolution3D
Convolution3DTranspose Cropping1D Cropping2D Cropping3D CutMix Dense DepthwiseConv1D
DepthwiseConv2D Discretization Dot Dropout ELU EinsumDense Embedding Equalization
Flatten GRU GRUCell GaussianDropout GaussianNoise GlobalAveragePooling1D
GlobalAveragePooling2D GlobalAveragePooling3D GlobalAvgPool1D GlobalAvgPool2D
GlobalAvgPool3D GlobalMaxPool1D GlobalMaxPool2D GlobalMaxPool3D GlobalMaxPooling1D
GlobalMaxPooling2D GlobalMaxPooling3D GroupNormalization GroupQueryAttention Identity
InputLayer LSTM LSTMCell LayerNormalization LeakyReLU LocallyConnected1D
LocallyConnected2D Masking MaxNumBoundingBoxes MaxPool1D MaxPool2D MaxPool3D
MaxPooling1D MaxPooling2D MaxPooling3D Maximum MelSpectrogram Minimum MixUp
MultiHeadAttention Multiply Normalization PReLU Permute Pipeline RMSNormalization RNN
RandAugment RandomBrightness RandomColorDegeneration RandomColorJitter RandomContrast
RandomCrop RandomElasticTransform RandomErasing RandomFlip RandomGaussianBlur
RandomGrayscale RandomHeight RandomHue RandomInvert RandomPerspective
RandomPosterization RandomRotation RandomSaturation RandomSharpness RandomShear
RandomTranslation RandomWidth RandomZoom ReLU RepeatVector Rescaling Reshape Resizing
ReversibleEmbedding STFTSpectrogram SeparableConv1D SeparableConv2D
SeparableConvolution1D SeparableConvolution2D SimpleRNN SimpleRNNCell Softmax
Solarization SpatialDropout1D SpatialDropout2D SpatialDropout3D SpectralNormalization
StackedRNNCells Subtract ThresholdedReLU TimeDistributed UnitNormalization UpSampling1D
UpSampling2D UpSampling3D ZeroPadding1D ZeroPadding2D ZeroPadding3D
""".split()  # noqa: SIM905
)

# Operations of keras.ops, by their module.
_CORE = """
Cast ConvertToTensor SaturateCast Scatter ScatterUpdate Slice SliceUpdate StopGradient
Unstack
"""

_IMAGE = """
AffineTransform CropImages ElasticTransform ExtractPatches GaussianBlur HSVToRGB
MapCoordinates PadImages PerspectiveTransform RGBToGrayscale RGBToHSV Resize SSIM
ScaleAndTranslate SobelEdges
"""

_LINALG = """
Cholesky CholeskyInverse Det Eig Eigh Inv Lstsq LuFactor MatrixRank Norm Pinv Qr SVD
Solve SolveTriangular
"""

_MATH = """
CDist Erf Erfc Erfinv ExtractSequences FFT FFT2 IFFT2 IRFFT ISTFT InTopK Logdet
Logsumexp RFFT Rsqrt STFT SegmentMax SegmentMin SegmentProd SegmentReduction SegmentSum
TopK ViewAsComplex ViewAsReal
"""

_NN = """
AdaptiveAveragePool AdaptiveMaxPool AveragePool BatchNorm BinaryCrossentropy CTCDecode
CTCLoss CategoricalCrossentropy Celu Conv ConvTranspose DepthToSpace DepthwiseConv
DotProductAttention Elu Fold Gelu Glu HardShrink HardSigmoid HardSilu HardTanh LayerNorm
LeakyRelu LogSigmoid LogSoftmax MaxPool Moments MultiHot Normalize OneHot PSNR Polar
RMSNorm Relu Relu6 Selu SeparableConv Sigmoid Silu SoftShrink Softmax Softplus Softsign
SpaceToDepth SparseCategoricalCrossentropy SparsePlus SparseSigmoid Sparsemax Squareplus
TanhShrink Threshold Unfold
"""

_NUMPY = """
Abs Absolute Add All AllClose Amax Amin Angle Any Append Arange Arccos Arccosh Arcsin
Arcsinh Arctan Arctan2 Arctanh Argmax Argmin Argpartition Argsort Array ArraySplit
Average Bincount BitwiseAnd BitwiseInvert BitwiseLeftShift BitwiseNot BitwiseOr
BitwiseRightShift BitwiseXor BroadcastTo Cbrt Ceil Clip Concatenate Conj Conjugate Copy
Corrcoef Correlate Cos Cosh CountNonzero Cross Cumprod Cumsum Deg2rad Diag Diagflat
Diagonal Diff Digitize Divide DivideNoNan Dot Dsplit Dstack Einsum EmptyLike Equal Exp
Exp2 ExpandDims Expm1 Fabs Flip Fliplr Flipud Floor FloorDivide Fmax Fmin Fmod Full
FullLike Gcd Geomspace GetItem Greater GreaterEqual Heaviside Histogram Hsplit Hstack
Hypot I0 Imag Inner IsIn Isclose Isfinite Isinf Isnan Isneginf Isposinf Isreal Kron Lcm
Ldexp LeftShift Less LessEqual Linspace Log Log10 Log1p Log2 Logaddexp Logaddexp2
LogicalAnd LogicalNot LogicalOr LogicalXor Logspace Matmul Max Maximum Mean Median
Meshgrid Min Minimum Mod Moveaxis Multiply NanToNum Nanargmax Nanargmin Nancumprod
Nancumsum Nanmax Nanmean Nanmedian Nanmin Nanpercentile Nanprod Nanquantile Nanstd
Nansum Nanvar Ndim Negative Nextafter Nonzero NotEqual OnesLike Outer Pad Percentile
Power Prod Ptp Quantile Rad2deg Ravel Real Reciprocal Repeat Reshape RightShift Roll
Rot90 Round SearchSorted Select Sign Signbit Sin Sinc Sinh Size Slogdet Sort Split Sqrt
Square Squeeze Stack Std Subtract Sum Swapaxes Take TakeAlongAxis Tan Tanh Tensordot
Tile Trace Transpose Trapezoid Tril Triu TrueDivide Trunc Unique UnravelIndex Vander Var
Vdot View Vsplit Vstack Where ZerosLike
"""

_EINOPS = """
Rearrange
"""

OPERATIONS = {
  f"keras.src.ops.{module}": frozenset(names.split())
  for module, names in (
    ("core", _CORE),
    ("image", _IMAGE),
    ("linalg", _LINALG),
    ("math", _MATH),
    ("nn", _NN),
    ("numpy", _NUMPY),
    ("einops", _EINOPS),
  )
}

# Functions that Keras 2 calls by name, in layers that it makes of them.
TENSORFLOW_FUNCTIONS = frozenset(
  """
__operators__.add __operators__.eq __operators__.getitem __operators__.ne broadcast_to
cast clip_by_value compat.v1.gather compat.v1.nn.softmax compat.v1.shape
compat.v1.squeeze compat.v1.transpose concat einsum expand_dims eye fill gather
gather_nd identity image.adjust_contrast image.central_crop image.resize
image.rgb_to_grayscale linalg.diag linalg.diag_part linalg.matmul linalg.matvec
linalg.normalize math.abs math.add math.add_n math.argmax math.argmin math.cos
math.cumprod math.cumsum math.divide math.divide_no_nan math.equal math.erf math.exp
math.expm1 math.floor math.floordiv math.greater math.greater_equal math.l2_normalize
math.less math.less_equal math.log math.log1p math.log_sigmoid math.log_softmax
math.logical_and math.logical_not math.logical_or math.maximum math.minimum
math.multiply math.negative math.pow math.reciprocal math.reduce_all math.reduce_any
math.reduce_euclidean_norm math.reduce_logsumexp math.reduce_max math.reduce_mean
math.reduce_min math.reduce_prod math.reduce_std math.reduce_sum math.reduce_variance
math.round math.rsqrt math.scalar_mul math.sigmoid math.sign math.sin math.softplus
math.sqrt math.square math.squared_difference math.subtract math.tanh math.top_k
math.truediv meshgrid nn.avg_pool nn.avg_pool2d nn.bias_add nn.conv2d
nn.conv2d_transpose nn.depth_to_space nn.depthwise_conv2d nn.dropout nn.elu nn.gelu
nn.l2_normalize nn.leaky_relu nn.local_response_normalization nn.log_softmax nn.max_pool
nn.max_pool2d nn.moments nn.relu nn.relu6 nn.selu nn.sigmoid nn.silu nn.softmax
nn.softplus nn.softsign nn.space_to_depth nn.tanh one_hot ones ones_like pad
random.normal random.uniform range repeat reshape reverse roll shape slice split squeeze
stack stop_gradient strided_slice tile transpose unstack where zeros zeros_like
""".split()  # noqa: SIM905
)
