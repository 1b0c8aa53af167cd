import type { Invoice } from '@slipway/contract/invoices'
import type { Project } from '@slipway/contract/projects'
import type { Ticket } from '@slipway/contract/support'
import type { Team } from '@slipway/contract/teams'
import { formatPeriod, getLocale, m } from '@slipway/phrases'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Receipt from 'lucide-react/icons/receipt-text'
import Users from 'lucide-react/icons/users'
import { InvoiceStateBadge } from '../features/billing/invoices/invoice-state-badge.tsx'
import { invoiceState, invoiceStates } from '../features/billing/invoices/invoice-states.ts'
import { displayName } from '../features/projects/display-name.ts'
import { ProjectStateBadge } from '../features/projects/project-state-badge.tsx'
import { SiteTile } from '../features/projects/site/site-tile.tsx'
import { TicketStateBadge } from '../features/support/ticket-state-badge.tsx'
import { paths } from '../paths.ts'
import type { PaletteItem } from './palette-item.ts'
import { projectActions } from './project-actions.ts'

const categoryIn = (kind: string, team: string | undefined) =>
  team === undefined ? kind : m.palette_in({ kind, place: team })

export const projectItem = (project: Project, team: Team | undefined): PaletteItem => ({
  id: project.id,
  name: displayName(project),
  category: categoryIn(m.palette_project(), team?.name),
  icon: () => <SiteTile project={project} size="icon" />,
  badge: <ProjectStateBadge project={project} />,
  words: [project.key, project.id, project.domain ?? '', project.displayDomain ?? ''],
  to: paths.project(project.key),
  ...(project.state === 'deleted' ? { isDeleted: true } : { actions: projectActions(project) }),
})

export const teamItem = ({ id, name }: Team): PaletteItem => ({
  id,
  name,
  category: m.palette_team(),
  icon: Users,
  words: [id],
  to: paths.team(id),
})

export const ticketItem = ({ id, subject, state }: Ticket): PaletteItem => ({
  id,
  name: subject,
  category: m.palette_ticket(),
  icon: LifeBuoy,
  badge: <TicketStateBadge state={state} />,
  words: [id],
  to: paths.ticket(id),
})

export const invoiceItem = (invoice: Invoice): PaletteItem => ({
  id: invoice.id,
  name: m.invoices_heading({
    period: formatPeriod(invoice.createdAt, invoice.endsAt, getLocale()),
  }),
  category: m.palette_invoice(),
  icon: Receipt,
  badge: <InvoiceStateBadge invoice={invoice} />,
  words: [invoice.id, invoice.createdAt.slice(0, 7), invoiceStates[invoiceState(invoice)].label()],
  to: paths.invoice(invoice.id),
})
