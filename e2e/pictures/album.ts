import { billingPictures, noBillingPictures } from './billing-pictures.ts'
import type { Cast } from './example-data.ts'
import { guestPictures, waitingPictures } from './guest-pictures.ts'
import { invoicePictures, noInvoicePictures } from './invoice-pictures.ts'
import type { Picture } from './picture.ts'
import { manyProjectsPictures, noProjectsPictures, projectPictures } from './project-pictures.ts'
import { profilePictures, shellPictures } from './shell-pictures.ts'
import { noSupportPictures, supportPictures } from './support-pictures.ts'
import { alonePictures, teamPictures } from './team-pictures.ts'

/** Pictures of one area, as one person sees it; without one, as a guest does. */
export type Chapter = { area: string; who?: keyof Cast['people']; pictures: Picture[] }

/** Every screen in every state, in the order of the navigation. */
export const album = ({
  people,
  keyOf,
  ticketIdOf,
  teamIds,
  invoiceIds,
  emptyTeamId,
}: Cast): Chapter[] => [
  { area: 'auth', pictures: guestPictures(people.waiting.email) },
  { area: 'auth', who: 'waiting', pictures: waitingPictures },
  { area: 'shell', who: 'member', pictures: shellPictures },
  { area: 'projects', who: 'member', pictures: projectPictures(keyOf) },
  { area: 'projects', who: 'collector', pictures: manyProjectsPictures },
  { area: 'projects', who: 'empty', pictures: noProjectsPictures },
  { area: 'teams', who: 'member', pictures: teamPictures(teamIds) },
  { area: 'teams', who: 'empty', pictures: alonePictures(emptyTeamId) },
  { area: 'support', who: 'member', pictures: supportPictures(ticketIdOf) },
  { area: 'support', who: 'empty', pictures: noSupportPictures },
  { area: 'account', who: 'member', pictures: profilePictures },
  { area: 'billing', who: 'member', pictures: billingPictures },
  { area: 'billing', who: 'payer', pictures: invoicePictures(invoiceIds) },
  { area: 'billing', who: 'empty', pictures: [...noBillingPictures, ...noInvoicePictures] },
]
