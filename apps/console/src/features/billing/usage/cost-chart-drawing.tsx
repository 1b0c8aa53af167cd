import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import { axisLabels, type Bar } from './cost-chart-bars.ts'

/*
 * Everything uses the text color, so that forced colors apply. Expected costs also differ by their
 * outline, not by color alone.
 */
const barStyles = {
  soFar: { fill: 'currentColor', rx: 3 },
  expected: {
    fill: 'currentColor',
    rx: 3,
    fillOpacity: 0.18,
    stroke: 'currentColor',
  },
}

/** A class would add to the style sheet of every page. */
export const barColor = { color: 'var(--accent-fill)' }

/** The bar's share of the width of a day. */
const thickness = 0.7

/** The height of the bars, in pixels. */
export const barsHeight = 160

/** Space above the bars, in percent of the height, for the outline and the top's amount. */
const headroom = 12

const dayText = (date = '') => formatUtcDate(date, getLocale(), { month: 'short' })

/** Only the day of the month, where there is no room for the month. */
const dayNumber = (date = '') => date.slice(-2).replace(/^0/, '')

const percent = (part: number) => `${part}%`
const scaled = (height: number) => (height * (100 - headroom)) / 100

type Slot = { x: string; width: string }

/** An expected cost. Opaque, so that the background of a selected day does not change its color. */
const Expected = ({ height, ...slot }: Slot & { height: number }) => {
  const position = { ...slot, y: percent(100 - height), height: percent(height) }
  return (
    <>
      <rect
        {...position}
        rx={barStyles.expected.rx}
        className="fill-surface forced-colors:hidden"
      />
      <rect {...position} {...barStyles.expected} />
    </>
  )
}

/** The bars. `top` is the amount of the highest bar; the cap is marked at the end of its day. */
export function Bars({
  bars,
  selected,
  top,
  capDay,
}: {
  bars: Bar[]
  selected: number | null
  top: string
  capDay: string | null
}) {
  const slot = 100 / bars.length
  // The label is beside its line, where there is room for it.
  const cap = bars.findIndex(({ date }) => date === capDay) + 1
  const isLate = cap > bars.length / 2
  return (
    <svg aria-hidden="true" height={barsHeight} className="w-full">
      {selected !== null && (
        <rect
          x={percent(selected * slot)}
          width={percent(slot)}
          height="100%"
          fill="currentColor"
          fillOpacity="0.12"
        />
      )}
      <line
        x1="0"
        x2="100%"
        y1={percent(headroom)}
        y2={percent(headroom)}
        stroke="currentColor"
        strokeOpacity="0.3"
        strokeDasharray="2 4"
      />
      <text x="0" y="12" fill="currentColor" className="text-xs text-muted">
        {top}
      </text>
      {cap > 0 && (
        <>
          <line
            x1={percent(cap * slot)}
            x2={percent(cap * slot)}
            y1="0"
            y2="100%"
            stroke="currentColor"
            strokeDasharray="2 4"
          />
          <text
            x={percent(cap * slot)}
            dx={isLate ? -6 : 6}
            y="12"
            textAnchor={isLate ? 'end' : 'start'}
            fill="currentColor"
            className="text-xs text-muted"
          >
            {m.invoices_active_cap({ day: dayText(bars[cap - 1]?.date) })}
          </text>
        </>
      )}
      {bars.map(({ date, soFar, expected }, day) => {
        const slotPosition = {
          x: percent((day + (1 - thickness) / 2) * slot),
          width: percent(slot * thickness),
        }
        return (
          <g key={date}>
            {expected > soFar && <Expected {...slotPosition} height={scaled(expected)} />}
            {soFar > 0 && (
              <rect
                {...slotPosition}
                {...barStyles.soFar}
                y={percent(100 - scaled(soFar))}
                height={percent(scaled(soFar))}
              />
            )}
          </g>
        )
      })}
      <line
        x1="0"
        x2="100%"
        y1="100%"
        y2="100%"
        stroke="currentColor"
        strokeWidth="2"
        strokeOpacity="0.5"
      />
    </svg>
  )
}

const axisPositions = {
  start: (day: number) => day,
  middle: (day: number) => day + 0.5,
  end: (day: number) => day + 1,
}

/** The labels under the bars. Screen readers use the table instead. */
export const Axis = ({ days, today }: { days: readonly { date: string }[]; today: number }) => (
  <div aria-hidden className="text-xs text-muted">
    <svg className="h-4 w-full" aria-hidden="true">
      {axisLabels(days.length, today).map(({ day, anchor, short, wideOnly }) => (
        <text
          key={day}
          x={percent((axisPositions[anchor](day) / days.length) * 100)}
          y="12"
          textAnchor={anchor}
          fill="currentColor"
          className={
            day === today ? 'font-semibold text-fg' : wideOnly ? 'max-sm:hidden' : undefined
          }
        >
          {day === today
            ? m.invoices_active_today()
            : short
              ? dayNumber(days[day]?.date)
              : dayText(days[day]?.date)}
        </text>
      ))}
    </svg>
  </div>
)

const LegendEntry = ({
  barStyle,
  children,
}: {
  barStyle: keyof typeof barStyles
  children: string
}) => (
  <span className="inline-flex items-center gap-1.5">
    <span style={barColor}>
      <svg className="size-2" aria-hidden="true">
        <rect {...barStyles[barStyle]} width="100%" height="100%" />
      </svg>
    </span>
    {children}
  </span>
)

export const Legend = () => (
  <div aria-hidden className="flex flex-wrap gap-x-4 text-xs text-muted">
    <LegendEntry barStyle="soFar">{m.invoices_active_so_far()}</LegendEntry>
    <LegendEntry barStyle="expected">{m.invoices_active_chart_expected()}</LegendEntry>
  </div>
)
