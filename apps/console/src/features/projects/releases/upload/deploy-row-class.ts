export const deployRowClass =
  'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-md border border-line bg-surface px-4 py-3 sm:px-6'
