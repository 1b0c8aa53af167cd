import { isDomainName, toDomainName } from '@slipway/contract/domain-name'
import { createDomain, type DomainId } from '@slipway/contract/domains'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '../../../api/client.ts'
import { useForm } from '../../../forms/use-form.ts'
import { useUnsavedForm } from '../../../forms/use-unsaved.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CheckInput } from '../../../ui/field/check-input.tsx'
import { Form, FormActions } from '../../../ui/field/form.tsx'
import { TextField } from '../../../ui/field/text-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { counterpartOf, typedHost } from './domain-names.ts'
import { refetchDomains } from './domain-queries.ts'

const schema = z.object({
  domain: z.pipe(z.transform(typedHost), createDomain.body.shape.domain),
  withCounterpart: z.boolean(),
})

/** The label of the checkbox, which names the counterpart of the typed domain. */
function counterpartText(typed: string, primary: string | undefined) {
  const host = typedHost(typed).toLocaleLowerCase('en')
  return isDomainName(toDomainName(host))
    ? m.domains_counterpart({ host: counterpartOf(host), target: primary ?? host })
    : m.domains_counterpart_unknown()
}

export function AddDomain({
  project,
  primary,
  onAdded,
  onCancel,
}: {
  project: Project
  /** The primary domain in Unicode; undefined if this one will be the first. */
  primary: string | undefined
  onAdded: (id: DomainId) => void
  /** Undefined for the first domain, whose form stays open. */
  onCancel: (() => void) | undefined
}) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema,
    initial: { domain: '', withCounterpart: false },
    errorFields: { domain_in_use: 'domain', domain_limit_reached: 'domain' },
    async submit(body) {
      const added = await call(createDomain, { params: { id: project.id }, body })
      form.set('domain', '')
      form.set('withCounterpart', false)
      onAdded(added.id)
      await refetchDomains(queryClient, project)
    },
  })
  useUnsavedForm(m.domains_add_title(), form)
  const { domain, withCounterpart } = form.values
  return (
    <Card title={m.domains_add_title()}>
      <div className="grid max-w-xl gap-4">
        {primary === undefined && <FirstDomainHint project={project} />}
        <Form {...form.props}>
          <TextField
            label={m.projects_domain()}
            description={m.domains_field_hint()}
            required
            placeholder="www.example.com"
            inputMode="url"
            autoComplete="off"
            autoFocus={onCancel !== undefined}
            spellCheck={false}
            {...form.field('domain')}
          />
          <label className="flex items-start gap-2 wrap-anywhere pointer-coarse:min-h-11 pointer-coarse:py-2.5">
            <CheckInput
              type="checkbox"
              checked={withCounterpart === true}
              onChange={(event) => form.set('withCounterpart', event.target.checked)}
            />
            {counterpartText(domain ?? '', primary)}
          </label>
          {form.failure && <Alert kind="failure">{form.failure}</Alert>}
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>
              {m.domains_add()}
            </Button>
            {onCancel && (
              <Button disabled={form.pending} onClick={onCancel}>
                {m.shell_cancel()}
              </Button>
            )}
          </FormActions>
        </Form>
      </div>
    </Card>
  )
}

const FirstDomainHint = ({ project: { defaultUrl } }: { project: Project }) => (
  <p className="text-muted wrap-anywhere">
    {m.domains_add_first({ host: new URL(defaultUrl).host })}
  </p>
)

/** The form that adds the first domain, while it is not known that there is none. */
export const AddDomainSkeleton = ({ project }: { project: Project }) => (
  <Card title={m.domains_add_title()}>
    <div className="grid max-w-xl gap-4">
      <FirstDomainHint project={project} />
      <div className="flex flex-col gap-5">
        <div className="grid gap-1.5">
          <span className="font-medium">{m.projects_domain()}</span>
          <Skeleton className="w-full" height="control-height" />
          <span className="text-xs text-muted">{m.domains_field_hint()}</span>
        </div>
        <p className="pointer-coarse:min-h-11 pointer-coarse:py-2.5">
          <Skeleton className="w-64" />
        </p>
        <div className="flex pt-1">
          <Skeleton className="w-28" height="control-height" />
        </div>
      </div>
    </div>
  </Card>
)
