import type { ReactNode } from 'react'

const Drawing = ({ children }: { children: ReactNode }) => (
  <svg
    viewBox="0 0 96 56"
    className="h-14 w-24"
    fill="none"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
  >
    {children}
  </svg>
)

const surface = 'M4 38c6-3 10 1 15 0s9-3 14-1 8 2 13 0 9-2 14 0 8 2 13 0 12-2 19 0'

const Water = () => (
  <>
    <path d={`${surface}v18H4z`} className="fill-accent-soft" />
    <path d={surface} className="stroke-accent" />
  </>
)

/** The hull of the mark, upright. */
const hull = 'M2 0h40c-1.7 8.8-6.7 14.2-14.5 14.2H10.3c-5 0-7.8-5.5-8.3-14.2z'

/** A slip that waits for its hull: an empty list. */
export const EmptySlip = () => (
  <Drawing>
    <path
      d="M46 40.5c4-.5 6 2.5 10 1.5s7-3 11-1 8 2.5 13 .5 7-2 12-1V56H46z"
      className="fill-accent-soft"
    />
    <path d="M46 40.5c4-.5 6 2.5 10 1.5s7-3 11-1 8 2.5 13 .5 7-2 12-1" className="stroke-accent" />
    <path d="M4 20 58 42v14H4z" className="fill-hover" />
    <path d="M4 20 58 42M14 28v8m12-3v8m12-3v8" className="stroke-control" />
    <path
      d={hull}
      transform="translate(9 3) rotate(22)"
      strokeDasharray="3 3"
      className="stroke-muted"
    />
  </Drawing>
)

/** A buoy: nothing is where the link leads. */
export const Buoy = () => (
  <Drawing>
    <Water />
    <g transform="rotate(-10 48 36)" className="stroke-muted">
      <path d="M41 37c0-4 3-7 7-7s7 3 7 7" className="fill-hover" />
      <path d="M48 30V12" />
      <path d="m48 12 10 4-10 4z" className="fill-accent stroke-accent" />
    </g>
  </Drawing>
)

/** The hull in the water, under sail: a site went live. */
export const Launched = () => (
  <Drawing>
    <path d="M48 26V6" className="stroke-muted" />
    <path d="m50 7 14 15H50zm-4 3L36 22h10z" className="fill-accent-soft stroke-accent" />
    <path d={hull} transform="translate(26 26)" className="fill-accent-fill" />
    <Water />
  </Drawing>
)
