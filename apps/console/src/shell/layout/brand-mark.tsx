import { brandName } from '../page/document-title.ts'

export const brandClass =
  'control-height inline-flex items-center gap-2 rounded-md font-semibold tracking-tight'

/** A hull on its slipway. */
const Mark = () => (
  <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
    <rect width="32" height="32" rx="7" className="fill-accent-fill" />
    <path
      d="M6 22.5 26 17M8.5 16.5h15l-3-6.5h-9z"
      className="fill-none stroke-on-fill"
      strokeWidth="2.5"
      strokeLinejoin="round"
      strokeLinecap="round"
    />
  </svg>
)

export const BrandMark = () => (
  <>
    <Mark />
    <span className="max-[22rem]:sr-only">{brandName}</span>
  </>
)
