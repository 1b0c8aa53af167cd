import { formatPeriodStart, formatUtcDate, getLocale, m } from '@slipway/phrases'

/*
 * Dates are in UTC, like billing periods: west of UTC the first day of a period would be the last
 * day of the previous month. Each `value` is ISO 8601.
 */

export const InvoiceDay = ({ value }: { value: string }) => (
  <time dateTime={value} className="whitespace-nowrap">
    {formatUtcDate(value, getLocale(), { month: 'short', year: true })}
  </time>
)

/** The start of an invoice's period, with the time if it is not midnight. */
export const InvoiceStart = ({ value }: { value: string }) => (
  <time dateTime={value}>{formatPeriodStart(value, getLocale())}</time>
)

export const DatesInUtc = () => <p className="text-muted">{m.invoices_dates_utc()}</p>
