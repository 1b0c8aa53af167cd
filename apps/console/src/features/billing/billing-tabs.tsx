import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { PageTabs } from '../../shell/navigation/page-tabs.tsx'

export const BillingTabs = () => (
  <PageTabs
    label={m.invoices_overview_tabs()}
    tabs={[
      { to: paths.billing(), name: m.invoices_overview_tab() },
      { to: paths.invoices(), name: m.invoices_overview_tab_invoices() },
    ]}
  />
)
