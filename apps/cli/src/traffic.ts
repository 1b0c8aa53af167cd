import { type TrafficFigures, viewTraffic } from '@slipway/contract/traffic'
import { formatBytes, formatNumber, formatResponseTime, m } from '@slipway/phrases'
import { withRetries } from '@slipway/terminal/service'
import { table } from '@slipway/terminal/table'
import { type CommandContext, type CommandResult, client, findProject } from './context.ts'

/** The traffic of a project in the last 24 hours and the last 7 days. */
export async function showTraffic(
  context: CommandContext,
  projectOption: string | undefined,
): Promise<CommandResult> {
  const { locale, terminal } = context
  const { id } = await findProject(context, projectOption)
  const totalOf = async (range: 'day' | 'week') =>
    (await client(context)(viewTraffic, { params: { id }, query: { range } })).total
  const [day, week] = await withRetries(() => Promise.all([totalOf('day'), totalOf('week')]))
  const count = (value: number) => formatNumber(value, locale)
  const time = (value: number | null) => (value === null ? '–' : formatResponseTime(value, locale))
  type Row = { title: string; text: (figures: TrafficFigures) => string }
  const rows: Row[] = [
    { title: m.traffic_requests({}, { locale }), text: ({ requests }) => count(requests) },
    { title: m.traffic_visitors({}, { locale }), text: ({ visitors }) => count(visitors) },
    {
      title: m.traffic_transferred({}, { locale }),
      text: ({ bytes }) => formatBytes(bytes, locale),
    },
    {
      title: m.traffic_errors({}, { locale }),
      text: ({ clientErrors, serverErrors }) => count(clientErrors + serverErrors),
    },
    { title: m.traffic_median({}, { locale }), text: ({ median }) => time(median) },
    { title: m.traffic_p95({}, { locale }), text: ({ p95 }) => time(p95) },
  ]
  return {
    json: { day, week },
    lines: table<Row>(
      [
        { title: '', cell: ({ title }) => title },
        {
          title: m.traffic_range_day({}, { locale }),
          alignRight: true,
          cell: ({ text }) => text(day),
        },
        {
          title: m.traffic_range_week({}, { locale }),
          alignRight: true,
          cell: ({ text }) => text(week),
        },
      ],
      rows,
      { columns: terminal.columns, heading: (text) => terminal.style('dim', text) },
    ),
  }
}
