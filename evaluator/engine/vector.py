"""LLVM intrinsics the kernels are made of: loads by address, bit counts, prefetch,
and the one vector pass that reads hands from memory.

Everything here is written in LLVM's generic vector types, so the same code runs on
AVX-512, on AVX2 and on other architectures; the compiler picks the instructions.
:func:`evaluator.shape.kernels.suits.read_plain` is the twin of ``read_block`` in plain
numba, and the tests compare them.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

I1, I8, I16, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
LANES = 64  # bytes read for each hand


def _const(element, values):
    return ir.Constant(
        ir.VectorType(element, len(values)), [ir.Constant(element, v) for v in values]
    )


def _splat(builder, value, lanes):
    vector = builder.insert_element(_const(value.type, [0] * lanes), value, I32(0))
    return builder.shuffle_vector(vector, vector, _const(I32, [0] * lanes))


def _shift(builder, pointer, offset):
    return builder.gep(builder.bitcast(pointer, I8.as_pointer()), [offset], source_etype=I8)


def _load(builder, pointer, what):
    value = builder.load(builder.bitcast(pointer, what.as_pointer()), typ=what)
    value.align = 1
    return value


def _store(builder, value, pointer):
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer())).align = 1


def _function(builder, name, result, arguments):
    module = builder.module
    found = module.globals.get(name)
    return found or ir.Function(module, ir.FunctionType(result, arguments), name)


@intrinsic
def bit_count(typingctx, word):
    """Set bits of a uint64."""

    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def low_bit(typingctx, word):
    """Index of the lowest set bit of a uint64 that is not 0."""

    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], I1(1))

    return types.uint64(types.uint64), codegen


@intrinsic
def pointer_at(typingctx, address):
    """An address (intp) as a pointer, for ``numba.carray``."""

    def codegen(context, builder, signature, args):
        return builder.inttoptr(args[0], I8.as_pointer())

    return types.voidptr(types.intp), codegen


@intrinsic
def byte_at(typingctx, address):
    """The byte at an address (intp), as uint64."""

    def codegen(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], I8.as_pointer())
        return builder.zext(_load(builder, pointer, I8), I64)

    return types.uint64(types.intp), codegen


def _loader(element, meaning):
    @intrinsic
    def load(typingctx, address):
        def codegen(context, builder, signature, args):
            value = _load(builder, builder.inttoptr(args[0], I8.as_pointer()), element)
            return value if element is I64 else builder.zext(value, I64)

        return types.uint64(types.uint64), codegen

    load.__doc__ = f"The {meaning} at an address (uint64), as uint64."
    return load


load_8 = _loader(I8, "byte")
load_16 = _loader(I16, "16-bit number")
load_32 = _loader(I32, "32-bit number")
load_64 = _loader(I64, "64-bit number")


def _storer(element):
    @intrinsic
    def store(typingctx, address, value):
        def codegen(context, builder, signature, args):
            cut = args[1] if element is I64 else builder.trunc(args[1], element)
            _store(builder, cut, builder.inttoptr(args[0], I8.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64), codegen

    store.__doc__ = "Writes the low bits of a uint64 to an address (uint64)."
    return store


store_8, store_16, store_32, store_64 = (_storer(width) for width in (I8, I16, I32, I64))


@intrinsic
def address_of(typingctx, array):
    """Where the elements of a contiguous array lie, as uint64."""

    def codegen(context, builder, signature, args):
        made = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.ptrtoint(made.data, I64)

    return types.uint64(array), codegen


@intrinsic
def own_tiles(typingctx, hand, first, second, third, fourth):
    """Tiles of a hand and its four meld rows together.

    hand : address of 34 counts; the others : addresses of meld rows of 64 bytes, 34
        counts and three uint64 at 40 (:mod:`evaluator.scoring.guobiao.layout`)
    returns : (is there a tile with more than four copies, bits of the tiles with four,
        sum of the first numbers, sum of the second, OR of the third)
    """
    v8, v64 = ir.VectorType(I8, 32), ir.VectorType(I64, 4)

    def codegen(context, builder, signature, args):
        saturating = _function(builder, "llvm.uadd.sat.v32i8", v8, [v8, v8])
        pointers = [builder.inttoptr(arg, I8.as_pointer()) for arg in args]

        def add(a, b):
            return builder.call(saturating, [a, b])

        low = [_load(builder, pointer, v8) for pointer in pointers]
        high = [_load(builder, _shift(builder, p, I64(32)), v64) for p in pointers[1:]]
        last = _load(builder, _shift(builder, pointers[0], I64(32)), I16)
        counts = add(low[0], add(add(low[1], low[2]), add(low[3], low[4])))
        total = builder.add(builder.add(high[0], high[1]), builder.add(high[2], high[3]))
        both = builder.or_(builder.or_(high[0], high[1]), builder.or_(high[2], high[3]))
        # two more counts, in the low bytes of the first lane
        two = builder.add(builder.extract_element(total, I32(0)), builder.zext(last, I64))
        above = builder.icmp_unsigned(">", counts, _const(I8, [4] * 32))
        above = builder.zext(builder.bitcast(above, I32), I64)
        over = builder.and_(builder.add(two, I64(0x7B7B)), I64(0x8080))
        four = builder.icmp_unsigned("==", counts, _const(I8, [4] * 32))
        four = builder.zext(builder.bitcast(four, I32), I64)
        for bit in (2, 10):
            one = builder.and_(builder.lshr(two, I64(bit)), I64(1))
            four = builder.or_(four, builder.shl(one, I64(32 + (bit == 10))))
        answer = [builder.or_(above, over), four]
        answer += [builder.extract_element(total, I32(lane)) for lane in (1, 2)]
        answer.append(builder.extract_element(both, I32(3)))
        return context.make_tuple(builder, signature.return_type, answer)

    return types.UniTuple(types.uint64, 5)(*[types.uint64] * 5), codegen


def _has_avx512(context):
    """Whether the processor compiled for multiplies and adds 64 bytes at once."""
    return "+avx512bw" in context.codegen().magic_tuple()[2]


def _digits_to_codes(context, builder, digits, ninth):
    """Eight base-5 digits in the bytes of each of 8 u64 lanes, and a ninth: their number.

    Pairs of neighbours are joined three times: bytes, 16-bit, 32-bit. The first
    digit is in the lowest byte and weighs most.
    """

    def vector(element, count):
        return ir.VectorType(element, count)

    def join(x, width, weight):
        element, count = {8: (I16, 32), 16: (I32, 16), 32: (I64, 8)}[width]
        x = builder.bitcast(x, vector(element, count))
        low = builder.and_(x, _const(element, [(1 << width) - 1] * count))
        high = builder.lshr(x, _const(element, [width] * count))
        return builder.add(builder.mul(low, _const(element, [weight] * count)), high)

    if _has_avx512(context):
        v8, v16, v32 = vector(I8, 64), vector(I16, 32), vector(I32, 16)
        bytes_ = _function(builder, "llvm.x86.avx512.pmaddubs.w.512", v16, [v8, v8])
        words = _function(builder, "llvm.x86.avx512.pmaddw.d.512", v32, [v16, v16])
        digits = builder.call(bytes_, [builder.bitcast(digits, v8), _const(I8, [5, 1] * 32)])
        digits = builder.call(words, [digits, _const(I16, [25, 1] * 16)])
    else:
        digits = join(join(digits, 8, 5), 16, 25)
    digits = builder.bitcast(join(digits, 32, 625), vector(I64, 8))
    return builder.add(builder.mul(digits, _const(I64, [5] * 8)), ninth)


def _digit_sums(context, builder, digits, ninth):
    """The sum of the bytes of each of 8 u64 lanes, and the ninth."""
    if _has_avx512(context):
        v8, v64 = ir.VectorType(I8, 64), ir.VectorType(I64, 8)
        differences = _function(builder, "llvm.x86.avx512.psad.bw.512", v64, [v8, v8])
        total = builder.call(differences, [builder.bitcast(digits, v8), _const(I8, [0] * 64)])
    else:
        total = digits
        for shift in (32, 16, 8):
            total = builder.add(total, builder.lshr(total, _const(I64, [shift] * 8)))
        total = builder.and_(total, _const(I64, [0xFF] * 8))
    return builder.add(total, ninth)


def make_read_block(size, levels, honours, with_residues=False):
    """The intrinsic that reads ``size`` hands.

    ``read_block(address, stride, kinds, words, masks, ahead) -> uint64``

    address : intp, of the first hand; 64 bytes are read from the start of every
        hand, so the last one must be followed by memory of this array
    stride : uint64, bytes from hand to hand; kinds : uint64, 27 or 34
    words : uint64[4 * size], out: a word for each suit and the honours. Bits 0-31
        its code, 32-47 its tiles and, ``with_residues``, 48- what its tiles are
        modulo 3 (0: 0, 2: 1, 1: 8), so that the four words of a hand can be added
    masks : uint64[levels * size], out: bit i of ``masks[t * size + h]`` = hand h has
        more than t of tile i
    ahead : intp, how far to prefetch
    returns : bits of tiles of which some hand has more than four (its words are
        then wrong and must not be used)
    """
    shuffle, live = [], []
    for suit in range(4):
        first, count = (9 * suit, 8) if suit < 3 else (27, 6)
        # honours have seven digits: two leading zeros make them eight and the ninth
        shuffle += [0] * (8 - count) + [first + j for j in range(count)]
        live += [0] * (8 - count) + [1] * count
    ninths, ninth_live = [], []
    for last in (8, 17, 26, 33):
        ninths += [last] + [0] * 7
        ninth_live += [1] + [0] * 7
    # modulo 3 of 0-14 tiles in four-bit fields; more than 14 never matters
    residues = sum({0: 0, 2: 1, 1: 8}[n % 3] << 4 * n for n in range(15))

    @intrinsic
    def read_block(typingctx, address, stride, kinds, words, masks, ahead):
        signature = types.uint64(types.intp, types.uint64, types.uint64, words, masks, types.intp)

        def codegen(context, builder, sig, args):
            base = builder.inttoptr(args[0], I8.as_pointer())
            out = context.make_array(sig.args[3])(context, builder, args[3]).data
            bits = context.make_array(sig.args[4])(context, builder, args[4]).data
            inside = builder.icmp_unsigned(
                "<",
                _const(I8, list(range(LANES))),
                _splat(builder, builder.trunc(args[2], I8), LANES),
            )
            zero = _const(I8, [0] * LANES)
            most = cgutils.alloca_once_value(builder, zero)
            prefetch = _function(
                builder, "llvm.prefetch.p0", ir.VoidType(), [I8.as_pointer(), I32, I32, I32]
            )
            offset = _const(I64, [0, 0, 0, honours] * 2)

            ones = _const(I8, [255] * LANES)
            whole = builder.select(inside, ones, zero)

            def picker(index, used):
                both = _const(I32, index + [LANES + i for i in index])
                kept = builder.shuffle_vector(whole, whole, both)
                kept = builder.and_(kept, _const(I8, [255 * u for u in used * 2]))

                def pick(first, second):
                    moved = builder.shuffle_vector(first, second, both)
                    return builder.bitcast(builder.and_(moved, kept), ir.VectorType(I64, 8))

                return pick

            pick_eight, pick_ninth = picker(shuffle, live), picker(ninths, ninth_live)

            with cgutils.for_range(builder, I64(size // 2)) as loop:
                first = builder.mul(builder.shl(loop.index, I64(1)), args[1])
                builder.call(
                    prefetch,
                    [_shift(builder, base, builder.add(first, args[5])), I32(0), I32(3), I32(1)],
                )
                pair = []
                for k in range(2):
                    at = builder.add(first, args[1]) if k else first
                    hand = _load(builder, _shift(builder, base, at), zero.type)
                    seen = builder.load(most)
                    larger = builder.icmp_unsigned(">", hand, seen)
                    builder.store(builder.select(larger, hand, seen), most)
                    for level in range(levels):
                        held = builder.icmp_unsigned(">", hand, _const(I8, [level] * LANES))
                        held = builder.and_(held, inside)
                        row = builder.add(
                            builder.shl(loop.index, I64(4)), I64(8 * (k + level * size))
                        )
                        _store(builder, builder.bitcast(held, I64), _shift(builder, bits, row))
                    pair.append(hand)
                digits, ninth = pick_eight(*pair), pick_ninth(*pair)
                code = builder.add(_digits_to_codes(context, builder, digits, ninth), offset)
                tiles = _digit_sums(context, builder, digits, ninth)
                word = builder.or_(code, builder.shl(tiles, _const(I64, [32] * 8)))
                if with_residues:
                    fields = builder.shl(tiles, _const(I64, [2] * 8))
                    fields = builder.and_(fields, _const(I64, [63] * 8))
                    residue = builder.lshr(_const(I64, [residues] * 8), fields)
                    residue = builder.and_(residue, _const(I64, [15] * 8))
                    word = builder.or_(word, builder.shl(residue, _const(I64, [48] * 8)))
                _store(builder, word, _shift(builder, out, builder.shl(loop.index, I64(6))))
            above = builder.icmp_unsigned(">", builder.load(most), _const(I8, [4] * LANES))
            return builder.bitcast(builder.and_(above, inside), I64)

        return signature, codegen

    return read_block
