import { personalTokenLifetimes } from '@slipway/contract/personal-tokens'
import type { Project, ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { projectsQuery } from '../../../api/queries.ts'
import { CheckInput } from '../../../ui/field/check-input.tsx'
import { SelectField } from '../../../ui/field/select-field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const boxClass = 'flex items-start gap-2 wrap-anywhere'
const choiceClass = `${boxClass} py-1 pointer-coarse:py-3`

const usableProjects = (projects: readonly Project[] | undefined) =>
  projects?.filter(({ state }) => state !== 'deleting' && state !== 'deleted')

/** The initial choice: no project, or null (all) if there are no projects to choose from. */
export function useInitialChoice(): ProjectId[] | null {
  const { data } = useQuery(projectsQuery)
  return usableProjects(data)?.length === 0 ? null : []
}

/** The projects that a token may use; all if `value` is null. */
export function ProjectChoice({
  value,
  error,
  onChange,
}: {
  value: ProjectId[] | null
  error: string | undefined
  onChange: (value: ProjectId[] | null) => void
}) {
  const id = useId()
  const { data } = useQuery(projectsQuery)
  const projects = usableProjects(data)
  const toggle = (project: ProjectId, chosen: boolean) =>
    onChange([...(value ?? []).filter((each) => each !== project), ...(chosen ? [project] : [])])
  return (
    <fieldset
      className="grid gap-1"
      aria-describedby={error ? `${id}-error` : undefined}
      // The form focuses it when no project is chosen.
      tabIndex={-1}
      aria-invalid={error ? true : undefined}
    >
      <legend className="mb-1.5 font-medium">{m.tokens_projects()}</legend>
      <label className={choiceClass}>
        <CheckInput type="radio" name={id} checked={value !== null} onChange={() => onChange([])} />
        {m.tokens_some_projects()}
      </label>
      {value !== null && (
        // Ends below the name of the fifth project, so that no line is cut.
        <div className="ml-7 grid max-h-56 overflow-y-auto rounded-md border border-line px-3 py-1">
          {projects?.map((project) => (
            <label key={project.id} className={`${boxClass} py-1.5`}>
              <CheckInput
                type="checkbox"
                checked={value.includes(project.id)}
                onChange={(event) => toggle(project.id, event.target.checked)}
              />
              <span className="min-w-0">
                {project.name}{' '}
                <span className="block truncate text-xs text-muted">{project.key}</span>
              </span>
            </label>
          )) ?? <Skeleton className="w-40" height="h-6" />}
          {projects?.length === 0 && <p className="text-muted">{m.tokens_no_projects()}</p>}
        </div>
      )}
      <label className={choiceClass}>
        <CheckInput
          type="radio"
          name={id}
          checked={value === null}
          onChange={() => onChange(null)}
        />
        {m.tokens_all_projects()}
      </label>
      {error && (
        <p id={`${id}-error`} className="text-danger" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

export const LifetimeField = ({
  value,
  onChange,
}: {
  value: number
  onChange: (days: number) => void
}) => (
  <SelectField
    name="days"
    label={m.tokens_lifetime()}
    value={String(value)}
    onChange={(days) => onChange(Number(days))}
    options={personalTokenLifetimes.map((days) => ({
      value: String(days),
      label: m.tokens_days({ days }),
    }))}
  />
)
