import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { useProfile, useTeams } from '../../../shell/session/account-context.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Launched } from '../../../ui/drawings.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { accessUrl, signsIn } from '../access/access-url.ts'
import { nextStepsQuery } from '../next-steps-query.ts'
import { dismissNewSite } from './new-sites.ts'

const stepClass =
  'flex min-h-11 items-center gap-2 rounded-md px-2 transition-colors hover:bg-success/10'

const Step = ({ done, children }: { done: boolean; children: string }) => {
  const Icon = done ? CircleCheck : Circle
  return (
    <>
      <Icon className="size-4 shrink-0 text-success" aria-hidden />
      <span className={done ? 'text-muted line-through' : 'font-medium'}>{children}</span>
      {done ? (
        <VisuallyHidden> ({m.projects_live_done()})</VisuallyHidden>
      ) : (
        <ChevronRight className="ml-auto size-4 shrink-0 text-muted" aria-hidden />
      )}
    </>
  )
}

/** The first step: edit a site that has an editor, or deploy files or an image. */
function ContentStep({ project, done }: { project: Project; done: boolean }) {
  const editor = accessUrl(project)
  if (editor)
    return (
      <a href={editor} target="_blank" rel="noopener" className={stepClass}>
        <Step done={done}>{m.projects_live_edit()}</Step>
      </a>
    )
  return (
    <Link to={paths.releases(project.key)} className={stepClass}>
      <Step done={done}>
        {project.runtime === 'image' ? m.projects_live_deploy_image() : m.projects_live_deploy()}
      </Step>
    </Link>
  )
}

const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="-mx-2 grid gap-x-4 sm:grid-cols-3">{children}</ol>
)

/** "Your site is live", or ready for its files, with the next steps. */
export default function LivePanel({ project }: { project: Project }) {
  const { data: steps } = useQuery(nextStepsQuery(project.id))
  const userId = useProfile().id
  const isOwner = useTeams().some(
    ({ id, userId: owner }) => id === project.teamId && owner === userId,
  )
  const isLive = steps?.content === true || signsIn(project)
  return (
    <section
      aria-labelledby="first-live-notice"
      className="rounded-md border border-success/30 bg-success-soft p-4 sm:px-6"
    >
      <div className="flex items-start justify-between gap-4">
        <div className="max-sm:hidden">
          <Launched />
        </div>
        <div className="flex-1">
          <h2 id="first-live-notice" className="text-base font-semibold">
            {isLive ? m.projects_live_title() : m.projects_live_empty_title()}
          </h2>
          <p className="text-muted">
            {isLive
              ? m.projects_live_text()
              : project.runtime === 'image'
                ? m.projects_live_image_text()
                : m.projects_live_empty_text()}
          </p>
        </div>
        <IconButton
          icon={X}
          label={m.shell_dismiss()}
          onClick={() => {
            dismissNewSite(project.id)
            // The button disappears.
            pageHeading()?.focus()
          }}
        />
      </div>
      <Steps>
        <li>
          <ContentStep project={project} done={steps?.content === true} />
        </li>
        <li>
          <Link to={paths.domains(project.key)} className={stepClass}>
            <Step done={steps?.domain === true}>{m.projects_live_domain()}</Step>
          </Link>
        </li>
        {/* Only the owner of a team can invite. */}
        {isOwner && (
          <li>
            <Link to={paths.team(project.teamId)} hash="invite" className={stepClass}>
              <Step done={steps?.invitation === true}>{m.projects_live_invite()}</Step>
            </Link>
          </li>
        )}
      </Steps>
    </section>
  )
}
