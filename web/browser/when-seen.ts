/** Calls back once, when the element comes into view. */
export function whenSeen(element: Element, onSeen: () => void): void {
  const view = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    view.disconnect();
    onSeen();
  });
  view.observe(element);
}
