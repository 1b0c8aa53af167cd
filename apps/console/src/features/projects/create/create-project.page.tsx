import { keySuffixLength, projectSlug } from '@slipway/contract/project-slug'
import { createProject, newProject } from '@slipway/contract/projects'
import type { Region } from '@slipway/contract/regions'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import MapPin from 'lucide-react/icons/map-pin'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { useForm } from '../../../forms/use-form.ts'
import { useUnsavedForm } from '../../../forms/use-unsaved.ts'
import { paths } from '../../../paths.ts'
import { useIsOnPage } from '../../../shell/navigation/is-on-page.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { useRegions, useTeams } from '../../../shell/session/account-context.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ChoiceCards } from '../../../ui/field/choice-cards.tsx'
import { Form, FormActions } from '../../../ui/field/form.tsx'
import { SelectField } from '../../../ui/field/select-field.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { cacheProject } from '../project-queries.ts'
import { showProjectToast } from '../project-toasts.ts'
import { addNewSite } from '../site/new-sites.ts'
import { ProjectPrice } from './project-price.tsx'
import { RuntimeChoice } from './runtime-choice.tsx'

type Named<Id extends string> = { id: Id; name: string }

const toOptions = <Id extends string>(options: readonly Named<Id>[]) =>
  options.map(({ id, name }) => ({ value: id, label: name }))

/** The id of the only option; null if there is a choice. */
const onlyId = <Id extends string>(options: readonly Named<Id>[]) =>
  options.length === 1 ? (options[0]?.id ?? null) : null

function useCreateProjectForm() {
  const regions = useRegions()
  const teams = useTeams()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isOnPage = useIsOnPage()
  const showsTeams = teams.length !== 1
  // One key while the page is open: a retry after a lost response finds the project that the first
  // request created, even if the form has changed since.
  const [idempotencyKey] = useState(newIdempotencyKey)

  const form = useForm({
    schema: newProject,
    initial: {
      name: '',
      teamId: onlyId(teams),
      regionId: onlyId(regions),
      domain: '',
      runtime: 'starter',
    },
    errorFields: {
      domain_in_use: 'domain',
      region_not_found: 'regionId',
      ...(showsTeams ? { team_not_found: 'teamId' } : {}),
    },
    async submit(body) {
      const project = await call(createProject, { body: { ...body, idempotencyKey } })
      cacheProject(queryClient, project)
      // The site may be live before the page of the project has rendered.
      addNewSite(project.id)
      showProjectToast(queryClient, 'creation', project)
      if (isOnPage()) await navigate({ to: paths.project(project.key), replace: true })
    },
  })

  // Teams may change while the form is open: drop a team that no longer exists.
  const selectedTeamId = form.values.teamId
  const teamId = teams.some(({ id }) => id === selectedTeamId) ? selectedTeamId : onlyId(teams)
  if (teamId !== selectedTeamId) form.set('teamId', teamId)
  useUnsavedForm(m.projects_create(), form)

  return { form, regions, teams, showsTeams }
}

/** The default address as it follows from the name; its last six characters are random. */
function AddressPreview({ name, region }: { name: string; region: Region | undefined }) {
  if (!region) return null
  const key = `${projectSlug(name)}-${'x'.repeat(keySuffixLength)}`
  const address = region.siteUrl.replace('{key}', key).replace(/^https?:\/\//, '')
  return <span className="wrap-anywhere">{m.projects_address_preview({ address })}</span>
}

function CreateProjectForm() {
  const { form, regions, teams, showsTeams } = useCreateProjectForm()
  return (
    <Form {...form.props}>
      <RuntimeChoice
        regionId={form.values.regionId ?? regions[0]?.id ?? ''}
        value={form.values.runtime ?? 'starter'}
        onChange={(runtime) => form.set('runtime', runtime)}
      />
      <TextField
        label={m.projects_name()}
        description={<AddressPreview name={form.values.name ?? ''} region={regions[0]} />}
        required
        autoFocus
        autoComplete="off"
        {...form.field('name')}
      />
      <ChoiceCards
        label={m.projects_region()}
        description={m.projects_region_hint()}
        required
        choices={regions.map(({ id, name }) => ({ value: id, label: name, icon: MapPin }))}
        {...form.field('regionId')}
      />
      {showsTeams && (
        <SelectField
          label={m.projects_team()}
          description={m.projects_team_hint()}
          required
          options={toOptions(teams)}
          placeholder={m.projects_select_team()}
          {...form.field('teamId')}
        />
      )}
      <TextField
        label={m.projects_domain_optional()}
        description={m.projects_domain_hint()}
        placeholder="www.example.com"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        {...form.field('domain')}
      />
      <ProjectPrice team={teams.find(({ id }) => id === form.values.teamId)} />
      {form.failure && <Alert kind="failure">{form.failure}</Alert>}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {m.projects_create()}
        </Button>
        <ButtonLink to={paths.projects()}>{m.shell_cancel()}</ButtonLink>
      </FormActions>
    </Form>
  )
}

export const Page = () => (
  <PageFrame description={m.projects_create_description()} narrow>
    <Card>
      <CreateProjectForm />
    </Card>
  </PageFrame>
)
