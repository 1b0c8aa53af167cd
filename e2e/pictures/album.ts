import { billingPictures, noBillingPictures } from './billing-pictures.ts'
import { emailPictures } from './email-pictures.ts'
import type { ExampleData } from './example-data.ts'
import { gatewayPictures } from './gateway-pictures.ts'
import { guestPictures, unverifiedPictures } from './guest-pictures.ts'
import { hostingPictures } from './hosting-pictures.ts'
import { imagePictures } from './image-pictures.ts'
import { invoicePictures, noInvoicePictures } from './invoice-pictures.ts'
import type { Picture } from './picture.ts'
import { manyProjectsPictures, noProjectsPictures, projectPictures } from './project-pictures.ts'
import { profilePictures, shellPictures } from './shell-pictures.ts'
import { noSupportPictures, supportPictures } from './support-pictures.ts'
import { alonePictures, teamPictures } from './team-pictures.ts'

/** The pictures of one area as `user` sees it, or as a visitor. */
export type Chapter = { area: string; user?: keyof ExampleData['users']; pictures: Picture[] }

/**
 * Every screen in every state, in the order of the navigation, then the emails and the error pages
 * that the gateway shows to visitors of sites, which are at `problemPages`.
 */
export const album = (
  { keyOf, hosting, images, ticketIdOf, teamIds, invoiceIds, emailPaths, emptyTeamId }: ExampleData,
  problemPages: string,
): Chapter[] => [
  { area: 'auth', pictures: guestPictures },
  { area: 'auth', user: 'unverified', pictures: unverifiedPictures },
  { area: 'shell', user: 'member', pictures: shellPictures },
  { area: 'projects', user: 'member', pictures: projectPictures(keyOf) },
  { area: 'projects', user: 'withManyProjects', pictures: manyProjectsPictures },
  { area: 'projects', user: 'withoutData', pictures: noProjectsPictures },
  { area: 'hosting', user: 'host', pictures: hostingPictures(hosting) },
  { area: 'images', user: 'shipper', pictures: imagePictures(images) },
  { area: 'teams', user: 'member', pictures: teamPictures(teamIds) },
  { area: 'teams', user: 'withoutData', pictures: alonePictures(emptyTeamId) },
  { area: 'support', user: 'member', pictures: supportPictures(ticketIdOf) },
  { area: 'support', user: 'withoutData', pictures: noSupportPictures },
  { area: 'account', user: 'member', pictures: profilePictures },
  { area: 'billing', user: 'member', pictures: billingPictures },
  { area: 'billing', user: 'payer', pictures: invoicePictures(invoiceIds) },
  { area: 'billing', user: 'withoutData', pictures: [...noBillingPictures, ...noInvoicePictures] },
  { area: 'emails', pictures: emailPictures(emailPaths) },
  { area: 'gateway', pictures: gatewayPictures(problemPages) },
]
