/** The environment this process was started with; the only place that reads it. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return process.env
}
