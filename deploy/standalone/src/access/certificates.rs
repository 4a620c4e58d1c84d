pub fn run(arguments: &[String]) -> anyhow::Result<()> {
    todo!()
}
