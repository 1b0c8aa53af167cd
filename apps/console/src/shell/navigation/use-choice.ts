import { useNavigate } from '@tanstack/react-router'
import { useSearchParam } from './route-params.ts'

/** A choice that the URL stores as the parameter `name`; the first value by default. */
export function useChoice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const navigate = useNavigate()
  const stored = useSearchParam(name)
  const value = values.find((each) => each === stored) ?? values[0]
  const choose = (chosen: Value) =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({
        ...current,
        [name]: chosen === values[0] ? undefined : chosen,
      }),
      replace: true,
      resetScroll: false,
    } as never)
  return [value, choose]
}
