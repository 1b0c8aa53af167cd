import type { ActiveInvoice } from '@slipway/contract/invoices'
import { formatMoney } from '@slipway/contract/money'
import { getLocale, m } from '@slipway/phrases'
import { dayText } from './overview-period.ts'

/** What the chart shows, for those who do not see it. */
export const CostTable = ({ days, today }: { days: ActiveInvoice['days']; today: number }) => (
  <div className="sr-only">
    <table>
      <caption>{m.invoices_active_chart()}</caption>
      <thead>
        <tr>
          <th scope="col">{m.invoices_active_day()}</th>
          <th scope="col">{m.invoices_active_day_so_far()}</th>
          <th scope="col">{m.invoices_active_day_expected()}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, amount, expected }, day) => (
          <tr key={date}>
            <th scope="row">
              {dayText(date, getLocale())}
              {day === today && `, ${m.invoices_active_today()}`}
            </th>
            <td>{formatMoney(amount)}</td>
            <td>{formatMoney(expected)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
