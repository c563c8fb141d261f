/** Loads the form of a study as it comes into view, or at once where the address fills it in. */
const element = document.getElementById("study");
if (element !== null) {
  let isLoading = false;
  const load = () => {
    if (isLoading) return;
    isLoading = true;
    void import("./study-island.tsx").then(({ showStudy }) => showStudy(element, wasSent));
  };
  // A tap may come before the script that answers it; then it is answered once that is there.
  let wasSent = location.search !== "";
  element.addEventListener("submit", (event) => {
    if (element.dataset["ready"] !== undefined) return;
    event.preventDefault();
    wasSent = true;
    load();
  });
  const view = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) load();
  });
  if (wasSent) load();
  else view.observe(element);
}
