import type { Traffic } from '@slipway/contract/traffic'
import { formatNumber, getLocale } from '@slipway/phrases'
import { axisLabel, pointTime } from './traffic-texts.ts'

type Point = Traffic['points'][number]

/** The next round number, close enough that the bars fill most of the height. */
function roundUp(value: number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}

/** The number of bars for each label: there is no space for one at every hour or day. */
const labelSteps: Record<Traffic['range'], number> = { day: 6, week: 1, month: 7 }

/** The labels of a week have two lines. */
const labelHeights: Record<Traffic['range'], string> = { day: 'h-6', week: 'h-11', month: 'h-6' }

function Bar({
  point,
  axisMax,
  name,
  height,
}: {
  point: Point
  axisMax: number
  name: string
  height: number
}) {
  const errors = point.clientErrors + point.serverErrors
  const inPixels = (count: number) =>
    count === 0 ? 0 : Math.max(1, Math.round((count / axisMax) * height))
  const barHeight = inPixels(point.requests)
  const errorHeight = Math.min(barHeight, inPixels(errors))
  return (
    <div className="group relative flex flex-col justify-end" style={{ height }}>
      <div
        className="flex flex-col justify-end overflow-hidden rounded-t-sm bg-accent-fill group-hover:bg-accent-fill-hover"
        style={{ height: barHeight }}
      >
        {/* A gap, because the color alone does not tell everybody the parts. */}
        {errorHeight > 0 && (
          <div
            className="box-content border-t-2 border-surface bg-danger"
            style={{ height: errorHeight }}
          />
        )}
      </div>
      <div className="pointer-events-none absolute bottom-full left-1/2 z-10 hidden -translate-x-1/2 rounded-md border border-line bg-raised px-2 py-1 whitespace-nowrap group-hover:block">
        {name}: {formatNumber(point.requests, getLocale())}
      </div>
    </div>
  )
}

/** The requests of each hour or day as bars, with axes. A text or table beside it says the same. */
export function RequestBars({
  traffic: { range, points },
  height,
}: {
  traffic: Traffic
  /** The height of the highest bar, in pixels. */
  height: number
}) {
  const locale = getLocale()
  const axisMax = roundUp(Math.max(...points.map(({ requests }) => requests), 1))
  const step = labelSteps[range]
  // The bar in the middle of each step, counted from the newest, so that no label is at the edge.
  const isLabeled = (index: number) => (points.length - 1 - index) % step === Math.floor(step / 2)
  return (
    <div aria-hidden className="grid grid-cols-[auto_1fr] gap-x-3 text-xs text-muted">
      {/* Half a line higher and lower: each label is in the middle of its line. */}
      <div
        className="-my-2 flex flex-col justify-between text-right tabular-nums"
        style={{ height: height + 16 }}
      >
        <span>{formatNumber(axisMax, locale)}</span>
        {axisMax % 2 === 0 && <span>{formatNumber(axisMax / 2, locale)}</span>}
        <span>{formatNumber(0, locale)}</span>
      </div>
      <div className="relative flex items-end gap-1">
        {(axisMax % 2 === 0 ? [0, height / 2] : [0]).map((top) => (
          <div key={top} className="absolute inset-x-0 border-b border-line" style={{ top }} />
        ))}
        {points.map((point, index) => (
          <div key={point.time} className="relative min-w-0 flex-1">
            <div className="border-b border-line">
              <Bar
                point={point}
                axisMax={axisMax}
                name={pointTime(range, point.time)}
                height={height}
              />
            </div>
            <div className={`relative pt-1.5 ${labelHeights[range]}`}>
              {isLabeled(index) && (
                <span className="absolute left-1/2 -translate-x-1/2 text-center whitespace-nowrap">
                  {axisLabel(range, point.time).map((line) => (
                    <span key={line} className="block">
                      {line}
                    </span>
                  ))}
                </span>
              )}
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
