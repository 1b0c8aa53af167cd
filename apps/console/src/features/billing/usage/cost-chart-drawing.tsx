import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import { axisLabels, type Bar } from './cost-chart-bars.ts'

/*
 * Everything uses the text color, so that forced colors apply. Expected costs also differ by their
 * outline, not by color alone.
 */
const barStyles = {
  soFar: { fill: 'currentColor', rx: 3 },
  expected: {
    fill: 'var(--accent-soft)',
    rx: 3,
    stroke: 'currentColor',
  },
  selected: { fill: 'none', rx: 3, stroke: 'var(--fg)', strokeWidth: 2 },
}

/** A class would add to the style sheet of every page. */
export const barColor = { color: 'var(--accent-fill)' }

/** The bar's share of the width of a day. */
const thickness = 0.7

/** The height of the bars, in pixels. */
export const barsHeight = 160

/** Space above the bars, in percent of the height, for the outline and the label of the cap. */
const headroom = 12

const dayText = (date = '') => formatUtcDate(date, getLocale(), { month: 'short' })

const percent = (part: number) => `${part}%`
const scaled = (height: number) => (height * (100 - headroom)) / 100

/** The bars; the cap is marked at the end of its day. */
export function Bars({
  bars,
  selected,
  capDay,
  capProject,
}: {
  bars: Bar[]
  selected: number | null
  capDay: string | null
  /** The project that reached the cap; undefined if it is not known to be one. */
  capProject?: string | undefined
}) {
  const slot = 100 / bars.length
  // The label is beside its line, where there is room for it.
  const cap = bars.findIndex(({ date }) => date === capDay) + 1
  const isLate = cap > bars.length / 2
  return (
    <svg aria-hidden="true" height={barsHeight} className="w-full">
      {[headroom, (100 + headroom) / 2].map((y) => (
        <line key={y} x1="0" x2="100%" y1={percent(y)} y2={percent(y)} stroke="var(--line)" />
      ))}
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
            {capProject
              ? m.invoices_active_cap_project({ project: capProject })
              : m.invoices_active_cap({ day: dayText(bars[cap - 1]?.date) })}
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
            {expected > soFar && (
              <rect
                {...slotPosition}
                {...barStyles.expected}
                y={percent(100 - scaled(expected))}
                height={percent(scaled(expected))}
              />
            )}
            {soFar > 0 && (
              <rect
                {...slotPosition}
                {...barStyles.soFar}
                y={percent(100 - scaled(soFar))}
                height={percent(scaled(soFar))}
              />
            )}
            {day === selected && (
              <rect
                {...slotPosition}
                {...barStyles.selected}
                y={percent(100 - scaled(expected))}
                height={percent(scaled(expected))}
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

/** The amounts at the lines: the top, its half and zero. */
export const Scale = ({ amounts }: { amounts: string[] }) => (
  <div
    aria-hidden
    className="flex flex-col justify-between text-right text-xs text-muted"
    style={{ marginTop: (barsHeight * headroom) / 100 - 8, marginBottom: -8 }}
  >
    {amounts.map((amount) => (
      <span key={amount}>{amount}</span>
    ))}
  </div>
)

/** Below the middle of a bar; at an end of the axis from its edge, so that the label is within. */
function placeOf(day: number, count: number) {
  if (day === 0) return { x: '0', textAnchor: 'start' } as const
  if (day >= count - 2) return { x: percent(((day + 1) / count) * 100), textAnchor: 'end' } as const
  return { x: percent(((day + 0.5) / count) * 100), textAnchor: 'middle' } as const
}

/** The labels under the bars. Screen readers use the table instead. */
export const Axis = ({ days, today }: { days: readonly { date: string }[]; today: number }) => (
  <svg aria-hidden="true" className="h-6 w-full overflow-visible text-xs text-muted">
    {axisLabels(days.length, today).map(({ day, wideOnly }) => (
      <text
        key={day}
        {...placeOf(day, days.length)}
        y="18"
        fill="currentColor"
        className={day === today ? 'font-semibold text-fg' : wideOnly ? 'max-sm:hidden' : undefined}
      >
        {day === today ? m.invoices_active_today() : dayText(days[day]?.date)}
      </text>
    ))}
  </svg>
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
