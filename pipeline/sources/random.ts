export type RandomStream = ReturnType<typeof randomStream>;

/**
 * A seeded stream of numbers: the same name gives the same numbers. Generator sfc32 (C. Doty-Humphrey, PractRand),
 * seeded with the FNV-1a hash of the name. Not for secrets.
 */
export function randomStream(name: string) {
  let a = hashOf(name, 0x811c9dc5);
  let b = hashOf(name, 0x9e3779b9);
  let c = hashOf(name, 0x85ebca6b);
  let counter = 1;
  const uniform = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return ((sum >>> 0) + 0.5) / 2 ** 32;
  };
  for (let round = 0; round < 16; round++) uniform(); // the author's advice for mixing the seed

  /** A point in the unit disc; both draws below need its coordinate and its squared radius. */
  const inDisc = (): { x: number; squared: number } => {
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const squared = x * x + y * y;
      if (squared < 1 && squared > 0) return { x, squared };
    }
  };
  return {
    /** Uniform in (0, 1), both ends excluded. */
    uniform,
    /** Standard normal, by the polar method of G. Marsaglia, whose second number is not used. */
    normal: () => {
      const { x, squared } = inDisc();
      return x * Math.sqrt((-2 * Math.log(squared)) / squared);
    },
    /**
     * Student t with 4 degrees of freedom, scaled to variance 1: tails as fat as those of coins. R. W. Bailey, "Polar
     * generation of random variates with the t-distribution" (1994): x * sqrt(n (w^(-2/n) - 1) / w); with n = 4 the
     * power is a root. Variance n / (n - 2) = 2.
     */
    student4: () => {
      const { x, squared } = inDisc();
      return x * Math.sqrt((2 * (1 / Math.sqrt(squared) - 1)) / squared);
    },
  };
}

function hashOf(text: string, basis: number): number {
  let hash = basis;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}
