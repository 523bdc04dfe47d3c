export function OverviewScreen() {
  return <h1>Overview</h1>;
}
