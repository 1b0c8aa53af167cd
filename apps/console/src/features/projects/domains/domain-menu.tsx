import { isSecure } from '@slipway/contract/domain-status'
import { m } from '@slipway/phrases'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import CornerUpRight from 'lucide-react/icons/corner-up-right'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Files from 'lucide-react/icons/files'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Star from 'lucide-react/icons/star'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { causesRedirect } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error-message.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { Menu, type MenuAction } from '../../../ui/menu/menu.tsx'
import { type DomainOfProject, makeAlias, makePrimary } from './change-domain.ts'

const RedirectDialog = lazyDialog(() =>
  import('./redirect-dialog.tsx').then((module) => module.RedirectDialog),
)
const HstsDialog = lazyDialog(() => import('./hsts-dialog.tsx').then((module) => module.HstsDialog))
const RemoveDomainDialog = lazyDialog(() =>
  import('./remove-domain-dialog.tsx').then((module) => module.RemoveDomainDialog),
)

export function DomainMenu({
  domainOfProject,
  primary,
}: {
  domainOfProject: DomainOfProject
  /** The primary domain in Unicode; undefined without one. */
  primary: string | undefined
}) {
  const { project, domain } = domainOfProject
  const { role, hsts } = domain
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'redirect' | 'hsts' | 'removal' | null>(null)
  const close = () => setDialog(null)
  const run =
    (act: (queryClient: QueryClient, domainOfProject: DomainOfProject) => Promise<void>) => () =>
      void act(queryClient, domainOfProject).catch((error) => {
        if (!causesRedirect(error)) showToast('failure', errorMessage(error))
      })

  const roleEntries: (MenuAction | false)[] = [
    role !== 'primary' && {
      kind: 'action',
      label: m.domains_make_primary(),
      icon: Star,
      onSelect: run(makePrimary),
    },
    role !== 'primary' &&
      primary !== undefined && {
        kind: 'action',
        label: role === 'redirect' ? m.domains_redirect_change() : m.domains_redirect(),
        icon: CornerUpRight,
        onSelect: () => setDialog('redirect'),
      },
    role === 'redirect' && {
      kind: 'action',
      label: m.domains_make_alias(),
      icon: Files,
      onSelect: run(makeAlias),
    },
  ]
  // Without a certificate, browsers that know the rule could not open the site.
  const cannotTurnOn = !hsts && !isSecure(domain)
  const entries: MenuAction[] = [
    ...roleEntries.filter((entry) => entry !== false),
    {
      kind: 'action',
      label: hsts ? m.domains_hsts_off() : m.domains_hsts_on(),
      icon: ShieldCheck,
      disabled: cannotTurnOn,
      hint: cannotTurnOn ? m.domains_hsts_unavailable() : undefined,
      onSelect: () => setDialog('hsts'),
    },
    {
      kind: 'action',
      label: m.domains_remove(),
      icon: Trash,
      tone: 'danger',
      onSelect: () => setDialog('removal'),
    },
  ]
  return (
    <>
      <Menu
        label={m.domains_menu({ host: domain.displayHost })}
        icon={Ellipsis}
        entries={entries}
      />
      <RedirectDialog
        domainOfProject={domainOfProject}
        target={primary ?? ''}
        open={dialog === 'redirect'}
        onClose={close}
      />
      <HstsDialog domainOfProject={domainOfProject} open={dialog === 'hsts'} onClose={close} />
      <RemoveDomainDialog
        domainOfProject={domainOfProject}
        otherHost={
          role === 'primary' || primary === undefined ? new URL(project.defaultUrl).host : primary
        }
        open={dialog === 'removal'}
        onClose={close}
      />
    </>
  )
}
