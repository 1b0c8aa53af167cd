import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'

export const overviewCrumb = () => ({ to: paths.billing(), label: m.invoices_overview_title() })

/** The breadcrumbs above an invoice and above the pay page. */
export const invoicesTrail = () => [
  overviewCrumb(),
  { to: paths.invoices(), label: m.invoices_title() },
]
