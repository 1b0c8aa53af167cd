import { paths } from '../../paths.ts'

/**
 * Where whoever has added a card goes: back to the payment that sent them, or to the overview. `next` is a
 * path on this origin, or null; one that leads out of paying is none of this form's business.
 */
export const originOf = (next: string | null) =>
  next?.split(/[?#]/)[0] === paths.payInvoices() ? next : paths.billing()
