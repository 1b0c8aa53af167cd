export const deployRowClass =
  'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line bg-surface px-4 py-3 sm:px-6'

/** Before the first release: a large box, first on the page. */
export const firstDeployClass =
  'grid content-center justify-items-center gap-2 rounded-md border border-dashed border-control bg-surface px-4 py-6 text-center'
