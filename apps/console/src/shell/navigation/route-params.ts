import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type PathParams, pathParams, paths } from '../../paths.ts'
import { safeNextPath } from './next-path.ts'

/** A parameter of the path, such as the `teamId` of `/teams/view/$teamId`. */
export const useParam = <Name extends keyof PathParams>(name: Name) =>
  pathParams(useParams({ strict: false }))[name] ?? ('' as PathParams[Name])

/** A query parameter as text; undefined unless it occurs exactly once. */
export const useSearchParam = (name: string): string | undefined => {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const value = search[name]
  return typeof value === 'string' ? value : undefined
}

/** Goes to the path of the `next` parameter if that is safe, else home. */
export function useGoToNextPath() {
  const navigate = useNavigate()
  const next = useSearchParam('next')
  return () =>
    navigate({ href: safeNextPath(next, location.origin) ?? paths.home(), replace: true })
}
