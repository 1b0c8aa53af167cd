import { formatDate, getLocale } from '@slipway/phrases'

/** A time of day, with the date and the seconds on hover. `value` is ISO 8601. */
export const ClockTime = ({ value }: { value: string }) => (
  <time dateTime={value} title={formatDate(value, getLocale(), 'exactTime')}>
    {formatDate(value, getLocale(), 'time')}
  </time>
)
