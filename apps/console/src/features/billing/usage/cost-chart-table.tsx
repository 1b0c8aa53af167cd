import type { ActiveInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import { chargedText } from '../billing-figures.ts'

/** The chart's data for screen readers. */
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
              {formatUtcDate(date, getLocale(), { month: 'long' })}
              {day === today && `, ${m.invoices_active_today()}`}
            </th>
            <td>{chargedText(amount)}</td>
            <td>{chargedText(expected)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
