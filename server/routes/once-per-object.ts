/** A function whose result is made once for each object it is given, and kept as long as the object. */
export function oncePerObject<Given extends object, Made extends object | number>(
  make: (given: Given) => Made,
): (given: Given) => Made {
  const known = new WeakMap<Given, Made>();
  return (given) => {
    let made = known.get(given);
    if (made === undefined) {
      made = make(given);
      known.set(given, made);
    }
    return made;
  };
}
