
function slurm_cli_setup_defaults(options, early)
    return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, pack)
    if options["type"] == "sbatch" then
        for _, line in ipairs(banner) do io.stdout:write(line, "\n") end
        io.stdout:flush()
    end
    return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job, step)
    return slurm.SUCCESS
end
