import { useEffect, useRef, useState } from 'preact/hooks'

/** Returns a value that changes at most once in an interval of ms; the last one is never lost. */
export function useThrottled<Value>(value: Value, interval: number): Value {
  const [shown, show] = useState(value)
  const latest = useRef(value)
  const timer = useRef<number | undefined>(undefined)
  latest.current = value
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      show(latest.current)
    }, interval)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return shown
}
