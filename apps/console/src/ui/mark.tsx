/** A hull that slides into the water; the same drawing as `public/favicon.svg`. */
export const Mark = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" className="size-7 shrink-0" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0b6b75" />
    <path
      d="M4 9.3h24c-1 5.3-4 8.5-8.7 8.5H9c-3 0-4.7-3.3-5-8.5z"
      transform="rotate(19 16 13)"
      fill="#fff"
    />
    <path
      d="M0 18.5 16 24c3.5 1.2 5-1.5 8-1.5s4.5 1.7 8 1.7a8 8 0 0 1-8 7.8H8a8 8 0 0 1-8-8z"
      fill="#62cdd6"
    />
  </svg>
)
