import { formatPeriodStart, formatUtcDate, getLocale, m } from '@slipway/phrases'

/*
 * In UTC, in which bills run: their first day would be the last of the month before where people are
 * behind it. Each `value` is ISO 8601.
 */

/** A day on which something happened to an invoice. */
export const InvoiceDay = ({ value }: { value: string }) => (
  <time dateTime={value} className="whitespace-nowrap">
    {formatUtcDate(value, getLocale(), { month: 'short', year: true })}
  </time>
)

/** When the period of an invoice begins: with its time where it begins in the middle of a day. */
export const InvoiceStart = ({ value }: { value: string }) => (
  <time dateTime={value}>{formatPeriodStart(value, getLocale())}</time>
)

/** Says that the dates are not those of the reader's clock. */
export const DatesInUtc = () => <p className="text-muted">{m.invoices_dates_utc()}</p>
