import type { CardAssociation } from '@slipway/contract/card-associations'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { brandName, parseCardAssociation } from './card-names.ts'

/* Drawn here after the well-known logos. The brand colors do not change with the color mode. */
const word = { textAnchor: 'middle', fontWeight: 800, fontFamily: 'inherit' } as const

const drawings: Record<CardAssociation, ReactNode> = {
  visa: (
    <text {...word} x="18" y="16.5" fontSize="12.5" fontStyle="oblique" fill="#1a2a8c">
      VISA
    </text>
  ),
  master_card: (
    <>
      <circle cx="14" cy="12" r="7" fill="#d8232a" />
      <circle cx="22" cy="12" r="7" fill="#f29c1f" />
      <path d="M18 6.25a7 7 0 0 1 0 11.5 7 7 0 0 1 0-11.5" fill="#ee6a20" />
    </>
  ),
  american_express: (
    <>
      <rect x="1" y="1" width="34" height="22" rx="2.5" fill="#1f6fc5" />
      <text {...word} x="18" y="16" fontSize="9.5" fill="#ffffff">
        AMEX
      </text>
    </>
  ),
  troy: (
    <>
      <path d="M6 19.5a22 22 0 0 1 24 0" fill="none" stroke="#00a8a0" strokeWidth="2" />
      <text {...word} x="18" y="14.5" fontSize="12" fill="#2b3138">
        troy
      </text>
    </>
  ),
  other: (
    <>
      <rect x="1" y="6" width="34" height="4" fill="#5c5c68" />
      <rect x="5" y="15" width="12" height="2.5" fill="#8b8b96" />
    </>
  ),
}

/** The logo of a card's association and its name; `hidden` if the name is shown beside it. */
export const CardLogo = ({
  association,
  hidden,
}: {
  association: CardAssociation
  hidden?: boolean
}) => (
  <>
    <svg viewBox="0 0 36 24" width="36" height="24" className="shrink-0" aria-hidden="true">
      <rect x="0.5" y="0.5" width="35" height="23" rx="3" fill="#ffffff" stroke="var(--line)" />
      {drawings[parseCardAssociation(association)]}
    </svg>
    {!hidden && <VisuallyHidden>{brandName(association)}</VisuallyHidden>}
  </>
)
